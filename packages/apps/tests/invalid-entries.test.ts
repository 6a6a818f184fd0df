import { beforeAll, expect, test } from 'vitest'
import { getApp, getAppRelease, releaseApp } from '../src/index.ts'
import { manifest, openStage, type Stage } from '../src/testing/index.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})

const entries = (more: string) =>
  manifest(`  docs: { type: static, path: site }\n  site: { type: static, path: site${more} }`)

test('an entry that cannot be read fails as a release with its issues, takes no traffic, and holds up no other', async () => {
  const project = await stage.project({ 'svc.yaml': entries(''), 'site/index.html': 'One' })
  const { ctx, project_id } = project
  const address = { project_id, app: 'site' }
  const app = async (name = 'site') => (await getApp(ctx, { project_id, app: name })).app
  await stage.settle(project)
  await project.commit('main', { 'svc.yaml': entries(', ouput_dir: x'), 'site/index.html': 'Two' })
  await stage.settle(project)
  expect(await app()).toMatchObject({ declared: true, state: 'serving', current_release: { number: 1 } })
  const { release } = await getAppRelease(ctx, { ...address, number: '2' })
  expect(release).toMatchObject({
    ...{ status: 'failed', source: 'merge', commit_sha: await project.tip('main') },
    failure: { category: 'config', retryable: false, message: expect.stringContaining('output_dir') },
    issues: [{ path: 'apps.site.ouput_dir', severity: 'error' }],
  })
  expect((await app('docs')).current_release?.number).toBe(2)
  await expect(releaseApp(ctx, address)).rejects.toMatchObject({ code: 'app_config_invalid' })

  await project.commit('main', { 'README.md': 'Words' })
  await stage.settle(project)
  expect((await app()).latest_release?.number).toBe(2)
  await project.commit('main', { 'svc.yaml': entries('') })
  await stage.settle(project)
  expect((await app()).current_release?.number).toBe(3)
})
