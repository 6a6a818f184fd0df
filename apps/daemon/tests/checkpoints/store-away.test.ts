import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { waitFor } from '../support/wait-for.ts'
import { checkpointsOf, clone, dirty, events, openCheckpoints, path, picture } from './world.ts'

openCheckpoints()

test('a store that is away is told once, and nothing of the agent waits for it', async () => {
  const workspace = clone('first')
  const url = path('store.git')
  const away = path('away.git')
  writeFileSync(join(workspace, 'kept.txt'), 'two\n')
  execFileSync('mv', [url, away])
  const checkpoints = checkpointsOf(workspace)
  expect(await checkpoints.save('turn')).toBe(null)
  expect(await checkpoints.save('turn')).toBe(null)
  expect(events).toMatchObject([{ state: 'failed', number: null, reason: 'turn' }])
  execFileSync('mv', [away, url])
  expect(await checkpoints.save('turn')).toBe(1)
})

test('what was not saved is saved once the store is back, without another turn', async () => {
  const workspace = clone('first')
  const url = path('store.git')
  writeFileSync(join(workspace, 'kept.txt'), 'two\n')
  execFileSync('mv', [url, path('away.git')])
  expect(await checkpointsOf(workspace).save('turn')).toBe(null)
  execFileSync('mv', [path('away.git'), url])
  await waitFor('the checkpoint', () => events.some(({ state }) => state === 'saved'))
  expect(events.at(-1)).toMatchObject({ state: 'saved', number: 1, reason: 'turn' })
})

test('work that is again as it was saved is told to be saved', async () => {
  const workspace = clone('first')
  const url = path('store.git')
  const checkpoints = checkpointsOf(workspace)
  writeFileSync(join(workspace, 'kept.txt'), 'two\n')
  await checkpoints.save('turn')
  writeFileSync(join(workspace, 'kept.txt'), 'three\n')
  execFileSync('mv', [url, path('away.git')])
  expect(await checkpoints.save('turn')).toBe(null)
  writeFileSync(join(workspace, 'kept.txt'), 'two\n')
  expect(await checkpoints.save('turn')).toBe(1)
  expect(events.map(({ state, number }) => ({ state, number }))).toEqual([
    ...[
      { state: 'saved', number: 1 },
      { state: 'failed', number: null },
      { state: 'saved', number: 1 },
    ],
  ])
})

test('a platform that is away while a sandbox begins is waited for: its work is not gone on without', async () => {
  const first = clone('first')
  dirty(first)
  const before = picture(first)
  await checkpointsOf(first).save('turn')
  const second = clone('second')
  let refusals = 0
  const away = { ok: false, stdout: '', stderr: 'fatal: unable to access: Connection refused' }
  const checkpoints = checkpointsOf(second, (git) => async (env, ...args) => {
    if (args[0] !== 'ls-remote' || refusals === 4) return git(env, ...args)
    refusals += 1
    return away
  })
  await checkpoints.restore()
  expect(picture(second)).toEqual(before)
  expect(events.at(-1)).toEqual({ number: 1, state: 'restored' })
})
