import { beforeAll, expect, test } from 'vitest'
import { cancelAppRelease, releaseApp, removeAppPreview, rollbackApp } from '../src/index.ts'
import { manifest, openStage, type Stage } from '../src/testing/index.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})

const two = {
  'svc.yaml': manifest('  site: { type: static, path: site }\n  docs: { type: static, path: site }'),
  'site/index.html': 'One',
}

/** The answers of all that were given one, and the codes of the refusals. */
async function outcomes<T>(asked: readonly Promise<T>[]) {
  const settled = await Promise.allSettled(asked)
  return {
    made: settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
    codes: settled.flatMap((one) => (one.status === 'rejected' ? [String(one.reason.code)] : [])),
  }
}

test('of 60 releases that are asked for at once 50 are made, under numbers without a gap', async () => {
  const project = await stage.project(two)
  await stage.settle(project)
  const { ctx, project_id } = project
  const ask = (n: number) => releaseApp(ctx, { project_id, app: n % 2 === 0 ? 'site' : 'docs' })
  const { made, codes } = await outcomes(Array.from({ length: 60 }, (_, n) => ask(n)))
  expect(codes).toEqual(Array.from({ length: 10 }, () => 'app_release_limit'))
  for (const app of ['site', 'docs']) {
    const numbers = made.flatMap(({ release }) => (release.app === app ? [release.number] : []))
    expect(numbers.toSorted((a, b) => a - b)).toEqual(numbers.map((_, n) => n + 2).toSorted((a, b) => a - b))
  }
  expect(made).toHaveLength(50)
  await expect(ask(0)).rejects.toMatchObject({ details: { retry_after: 10 } })
  await cancelAppRelease(ctx, {
    project_id,
    app: made[0]?.release.app ?? '',
    number: String(made[0]?.release.number),
  })
  expect((await ask(0)).release.status).toBe('queued')
})

test('of 12 previews that are asked for at once 10 are opened, and one that goes makes room', async () => {
  const project = await stage.project(two)
  await stage.settle(project)
  const { ctx, project_id } = project
  const proposed = []
  for (let n = 0; n < 6; n += 1) proposed.push((await project.propose(`change-${n}`)).cr_id)
  const asks = proposed.flatMap((cr_id) => ['site', 'docs'].map((app) => ({ project_id, app, cr_id })))
  const { made, codes } = await outcomes(asks.map((one) => releaseApp(ctx, one)))
  expect([made.length, codes]).toEqual([10, ['app_release_limit', 'app_release_limit']])
  const open = made[0]?.release
  await removeAppPreview(ctx, { project_id, app: open?.app ?? '', cr_id: open?.cr_id ?? '' })
  // Nine that are open take another release, and one of the other three is opened.
  const again = await outcomes(asks.map((one) => releaseApp(ctx, one)))
  expect([again.made.length, again.codes]).toEqual([10, ['app_release_limit', 'app_release_limit']])
})

test('only what is ready, of the address itself, can be gone back to', async () => {
  const project = await stage.project(two)
  const { ctx, project_id } = project
  const address = { project_id, app: 'site' }
  const refused = (number?: number) =>
    expect(rollbackApp(ctx, { ...address, ...(number !== undefined && { number }) })).rejects
  await stage.settle(project)
  await refused().toMatchObject({ code: 'app_release_not_ready' })
  await project.commit('main', { 'svc.yaml': manifest('  site: { type: static, path: gone }') })
  await stage.settle(project)
  const { cr_id } = await project.propose('change', two)
  const { release } = await releaseApp(ctx, { ...address, cr_id })
  await stage.settle(project)
  await refused(2).toMatchObject({ code: 'app_release_not_ready', details: { release_status: 'failed' } })
  await refused(release.number).toMatchObject({
    ...{ code: 'app_release_not_ready', message: expect.stringContaining('preview') },
  })
})
