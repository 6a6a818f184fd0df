import { appInstances } from '@svc/db'
import { beforeAll, expect, test } from 'vitest'
import { bundle, instancesOf, openStage, type Stage, visitFront } from '../src/testing/index.ts'
import { lookAfterInstances, removeStrays, wakeRelease } from '../src/work.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage({ running: true })
  return () => stage.programs.close()
})

test('a provider that does not know is waited for a minute: then another instance runs, and the old one goes once it answers', async () => {
  const project = await stage.project(bundle('one'))
  const { project_id } = project
  await stage.settle(project)
  const { db, clock } = stage.world
  const [instance] = await instancesOf(db, project_id)
  const { external_id, instance_id = '', release_id = '' } = instance ?? {}
  const look = async (ms: number) => {
    clock.advance(ms)
    await appInstances.sawRequests(db, [instance_id], clock.now())
    await lookAfterInstances(stage.worker())
    return (await instancesOf(db, project_id)).map(({ state }) => state)
  }
  expect(await look(0)).toEqual(['healthy'])
  stage.programs.hide(external_id ?? '', true)
  expect(await look(30_000)).toEqual(['healthy'])
  expect(await look(29_000)).toEqual(['healthy'])
  // It did not end: a visitor who reaches it is answered.
  expect(await visitFront(instance)).toBe('one of release 1')
  expect(await look(2_000)).toEqual(['gone', 'starting'])
  await wakeRelease(stage.worker(), { release_id })
  const next = await appInstances.findLive(db, release_id)
  expect(next?.instance_id).not.toBe(instance_id)
  expect(await visitFront(next)).toBe('one of release 1')

  const another = await stage.programs.create(
    { sandbox_id: 'of-no-row', image: null, limits: {}, token: '' },
    new AbortController().signal,
  )
  const strays = await removeStrays(stage.worker(), new Set())
  expect(strays).toEqual(new Set([external_id, another.external_id]))
  await removeStrays(stage.worker(), strays)
  // The machine that does not answer holds nothing else up.
  expect(await stage.programs.list()).not.toContain(another.external_id)
  expect(await stage.programs.list()).toContain(external_id)
  stage.programs.hide(external_id ?? '', false)
  await removeStrays(stage.worker(), strays)
  expect(await stage.programs.list()).not.toContain(external_id)
  expect(await visitFront(next)).toBe('one of release 1')
})
