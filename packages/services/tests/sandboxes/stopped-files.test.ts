import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startSession, stopSession, sweepStoppedSandboxes } from '../../src/index.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { runningSession, type TestSession } from '../../src/testing/sessions.ts'
import { openWorld } from '../../src/testing/world.ts'
import { killedAt, runProgram } from '../support/step.ts'

const world = await openWorld()
const project = await makeProject(world)
// Whoever asks does not wait for the job, which the test runs.
const ctx = world.as(project.owner.principal, { signal: AbortSignal.abort() })
const dayMs = 24 * 3_600_000
const sweep = () => sweepStoppedSandboxes(world.base, 10 * dayMs)
const isThere = (external_id: string) => world.provider.sandboxes.has(external_id)

/** A session that stopped, with its work in a checkpoint of this number. */
async function stopped(
  number: number | null,
): Promise<{ session: TestSession; external_id: string; ref: string }> {
  const session = await runningSession(world, project)
  const ref = `refs/svc/checkpoints/${session.session_id}/1`
  const tip = await project.tip('main')
  const tree = await project.git('rev-parse', `${tip}^{tree}`)
  const index = await project.git('commit-tree', tree, '-p', tip, '-m', 'index')
  const saved = await project.git('commit-tree', tree, '-p', tip, '-p', index, '-m', 'checkpoint')
  await project.git('update-ref', ref, saved)
  world.daemon.checkpoint = number
  await stopSession(ctx, session.key)
  await world.queue.drain()
  const { external_id, saved_checkpoint } = await session.sandbox()
  expect(saved_checkpoint).toBe(number)
  return { session, external_id: external_id ?? '', ref }
}

test('files of a stopped sandbox go after their days, and a start restores them', async () => {
  const { session, external_id, ref } = await stopped(1)
  world.clock.advance(9 * dayMs)
  expect(await sweep()).toBe(0)
  world.clock.advance(2 * dayMs)
  expect([await sweepStoppedSandboxes(world.base, 0), await sweep()]).toEqual([0, 1])
  await world.queue.drain()
  expect(isThere(external_id)).toBe(false)
  expect(await sweep()).toBe(0)

  await startSession(ctx, session.key)
  await world.queue.drain()
  expect((await session.row()).status).toBe('running')
  expect(await project.git('rev-parse', ref)).toMatch(/^[0-9a-f]{40}$/)
  // The checkpoint of before says nothing of how this one ends.
  expect((await session.sandbox()).saved_checkpoint).toBeNull()
})

test('files that no checkpoint has stay: none was saved, it is not the newest, or it cannot be read', async () => {
  const unsaved = await stopped(null)
  const older = await stopped(2)
  const broken = await stopped(1)
  await project.git('update-ref', '-d', broken.ref)
  world.clock.advance(11 * dayMs)
  expect(await sweep()).toBe(2)
  await world.queue.drain()
  for (const { external_id, session } of [unsaved, older, broken]) {
    expect(isThere(external_id)).toBe(true)
    expect((await session.sandbox()).saved_checkpoint).toBeNull()
  }
  expect(await sweep()).toBe(0)
})

test('a removal that is killed at any step is gone on with, and the session starts again', async () => {
  const { session, external_id } = await stopped(1)
  world.clock.advance(11 * dayMs)
  const root = join(world.gitDir(project.project_id), '..')
  const file = join(root, '..', `files-${external_id}`)
  await writeFile(file, 'work')
  const args = [world.connection_string, root, session.session_id, file]
  for (const step of ['before the files go', 'after the files went']) {
    await killedAt(runProgram(new URL('../support/run-release.ts', import.meta.url), [...args, step]), step)
    expect(existsSync(file)).toBe(step === 'before the files go')
    expect((await session.sandbox()).saved_checkpoint).toBe(1)
    expect((await session.row()).status).toBe('stopped')
  }
  expect(await sweep()).toBe(1)
  await world.queue.drain()
  expect(isThere(external_id)).toBe(false)
  await startSession(ctx, session.key)
  await world.queue.drain()
  expect((await session.row()).status).toBe('running')
})
