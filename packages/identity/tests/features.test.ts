import { listFeatures, setFeatures } from '@svc/context'
import { features, plans } from '@svc/db'
import { addOwner, makeProject, openWorld, runningSession, type TestProject } from '@svc/services/testing'
import { describe, expect, test } from 'vitest'
import { createGatewayKey, updateAccount } from '../src/index.ts'

const world = await openWorld()

describe('feature flags', () => {
  test('refuse what they switch off, with the feature', async () => {
    const own = await makeProject(world)
    const key = { project_id: own.project_id }
    await setFeatures(own.ctx, { ...key, features: { model_gateway: false } })
    expect((await listFeatures(own.ctx, key)).features).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ feature: 'model_gateway', enabled: false }),
        expect.objectContaining({ feature: 'previews', enabled: true }),
        expect.objectContaining({ feature: 'apps', enabled: false, operator_only: true }),
      ]),
    )
    await expect(createGatewayKey(own.ctx, { ...key, name: 'x' })).rejects.toMatchObject({
      code: 'feature_disabled',
      details: { feature: 'model_gateway' },
    })
    await setFeatures(own.ctx, { ...key, features: { model_gateway: true } })
    expect(await createGatewayKey(own.ctx, { ...key, name: 'x' })).toMatchObject({ name: 'x' })
  })

  test('the model gateway takes an opt-in of the project, and a plan that holds it', async () => {
    const account = await addOwner(world)
    const { ctx, account_id } = await makeProject(world, account)
    const models = async (own: TestProject) =>
      Object.keys(await (await runningSession(world, own)).environment()).filter((name) =>
        /^SVC_LLM_/.test(name),
      )
    const both = ['SVC_LLM_BASE_URL', 'SVC_LLM_API_KEY']

    expect(await updateAccount(ctx, { account_id, gateway_new_projects: false })).toMatchObject({
      gateway_new_projects: false,
    })
    const later = await makeProject(world, account)
    const enabled = async () =>
      (await listFeatures(ctx, later)).features.find(({ feature }) => feature === 'model_gateway')?.enabled
    expect([await enabled(), await models(later)]).toEqual([false, []])
    await expect(createGatewayKey(ctx, { ...later, name: 'x' })).rejects.toMatchObject({
      code: 'feature_disabled',
    })
    await setFeatures(ctx, { ...later, features: { model_gateway: true } })
    expect([await enabled(), await models(later)]).toEqual([true, both])

    await updateAccount(ctx, { account_id, gateway_new_projects: true })
    const latest = await makeProject(world, account)
    expect(await models(latest)).toEqual(both)
    const row = await features.find(world.db, latest.project_id, 'model_gateway')
    expect(row).toBe(true)

    const { gateway } = (await plans.ofProject(world.db, latest.project_id)) ?? {}
    const hold = (held: 'off' | 'own_keys' | 'managed') =>
      world.db.updateTable('plans').set({ gateway: held }).where('tier', '=', 'self_host').execute()
    expect(gateway).toBe('managed')
    await hold('off')
    expect(await models(latest)).toEqual([])
    await expect(createGatewayKey(ctx, { ...latest, name: 'x' })).rejects.toMatchObject({
      details: { feature: 'model_gateway' },
    })
    await hold('own_keys')
    expect(await models(latest)).toEqual(both)
    await hold('managed')
  })
})
