import { listFeatures, setFeatures } from '@svc/context'
import { describe, expect, test } from 'vitest'
import { authorizeProxy } from '../../src/index.ts'
import { makeProject, openWorld, runningSession } from '../../src/testing/index.ts'

const world = await openWorld()

describe('feature flags', () => {
  test('hold for sessions: no key of the gateway, no previews', async () => {
    const own = await makeProject(world)
    await setFeatures(own.ctx, {
      project_id: own.project_id,
      features: { model_gateway: false, previews: false },
    })
    const session = await runningSession(world, own)
    const environment = await session.environment()
    expect(environment).toHaveProperty('SVC_CLI_TOKEN')
    expect(environment).not.toHaveProperty('SVC_LLM_API_KEY')
    const { external_id } = await session.sandbox()
    const at = (port: number) => ({
      external_id: external_id ?? '',
      port,
      path: '/svc/health',
      method: 'GET',
    })
    await expect(authorizeProxy(own.ctx, at(3000))).rejects.toMatchObject({
      code: 'feature_disabled',
      details: { feature: 'previews' },
    })
    expect(await authorizeProxy(own.ctx, at(8000))).toMatchObject({ path: '/svc/health' })
    await setFeatures(own.ctx, { project_id: own.project_id, features: { previews: true } })
    expect(await authorizeProxy(own.ctx, at(3000))).toMatchObject({ path: '/proxy/3000/svc/health' })
  })

  test('of the operator change by a platform admin alone, and together with the rest or not at all', async () => {
    const own = await makeProject(world)
    const key = { project_id: own.project_id }
    const features = { apps: true, previews: false }
    await expect(setFeatures(own.ctx, { ...key, features })).rejects.toMatchObject({
      code: 'feature_operator_only',
      details: { feature: 'apps' },
    })
    const enabled = async () =>
      (await listFeatures(own.ctx, key)).features.filter((one) => one.enabled).map(({ feature }) => feature)
    expect(await enabled()).toEqual(['model_gateway', 'previews'])
    await world.db
      .updateTable('users')
      .set({ platform_admin: true })
      .where('user_id', '=', own.owner.user_id)
      .execute()
    await setFeatures(own.ctx, { ...key, features })
    expect(await enabled()).toEqual(['model_gateway', 'apps'])
  })
})
