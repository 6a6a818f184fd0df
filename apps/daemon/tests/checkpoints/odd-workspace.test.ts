import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkpointsOf, clone, dirty, events, folder, openCheckpoints, path, picture, run } from './world.ts'

openCheckpoints()

const damages: readonly (readonly [string, (git: string) => void])[] = [
  ['no repository', (git) => rmSync(git, { recursive: true })],
  ['settings that are none', (git) => writeFileSync(join(git, 'config'), '[[[\n')],
  [
    'a filter that fails',
    (git) => {
      run(git, 'config', 'filter.broken.clean', 'false')
      run(git, 'config', 'filter.broken.required', 'true')
      writeFileSync(join(git, 'info', 'attributes'), '*.txt filter=broken\n')
    },
  ],
]
test.each(damages)('the files are saved in a workspace with %s', async (_, damage) => {
  const first = clone('first')
  writeFileSync(join(first, 'new.txt'), 'new\n')
  rmSync(join(first, 'removed.txt'))
  damage(join(first, '.git'))
  const checkpoints = checkpointsOf(first)
  expect([await checkpoints.save('turn'), await checkpoints.save('stop')]).toEqual([1, 1])
  expect(events).toMatchObject([{ state: 'saved', message: expect.stringContaining('could not be used') }])
  const second = clone('second')
  await checkpointsOf(second).restore()
  expect(readFileSync(join(second, 'new.txt'), 'utf8')).toBe('new\n')
  expect(existsSync(join(second, 'removed.txt'))).toBe(false)
  expect(run(second, 'log', '--format=%s')).toBe('first\n')
  expect(picture(second).staged).toBe('')
})

test('an index that cannot be read is done without', async () => {
  const first = clone('first')
  dirty(first)
  const head = run(first, 'rev-parse', 'HEAD')
  writeFileSync(join(first, '.git', 'index'), 'garbage')
  expect(await checkpointsOf(first).save('turn')).toBe(1)
  const second = clone('second')
  await checkpointsOf(second).restore()
  expect(run(second, 'rev-parse', 'HEAD')).toBe(head)
  expect(readFileSync(join(second, 'staged.txt'), 'utf8')).toBe('staged, and changed again\n')
})

test('settings of the agent’s own send neither the files nor their address elsewhere', async () => {
  const first = clone('first')
  writeFileSync(join(first, 'kept.txt'), 'two\n')
  for (const kind of ['insteadOf', 'pushInsteadOf'])
    run(first, 'config', `url.${path('nowhere')}/.${kind}`, `${folder}/`)
  run(first, 'config', 'core.worktree', path('seed'))
  expect(await checkpointsOf(first).save('turn')).toBe(1)
  const second = clone('second')
  await checkpointsOf(second).restore()
  expect(picture(second).status).toBe(' M kept.txt\n')
})

test('what cannot be read is named, and the rest is saved', async () => {
  const first = clone('first')
  writeFileSync(join(first, 'kept.txt'), 'two\n')
  // These complaints are made up: the user who runs the tests may read everything.
  const complaints = [
    "error: unable to index file 'closed.txt'",
    "warning: could not open directory 'shut/': x",
  ]
  const checkpoints = checkpointsOf(first, (git) => async (env, ...args) => {
    const result = await git(env, ...args)
    return args.includes('add') ? { ...result, ok: false, stderr: complaints.join('\n') } : result
  })
  expect(await checkpoints.save('turn')).toBe(1)
  const message = 'Not saved, since it is too large or cannot be read: closed.txt, shut/'
  expect(events).toEqual([{ number: 1, state: 'saved', reason: 'turn', message }])
})

test('what the agent removes while it is read costs the checkpoint nothing of the repository', async () => {
  const first = clone('first')
  dirty(first)
  const head = run(first, 'rev-parse', 'HEAD')
  // The one is read before the other, which is gone by then.
  run(first, 'config', 'filter.hasty.clean', `rm -f '${join(first, 'gone.tmp')}'; cat`)
  writeFileSync(join(first, '.git', 'info', 'attributes'), 'changed.txt filter=hasty\n')
  writeFileSync(join(first, 'gone.tmp'), 'x\n')
  expect(await checkpointsOf(first).save('periodic')).toBe(1)
  expect(events).toEqual([{ number: 1, state: 'saved', reason: 'periodic' }])
  const second = clone('second')
  await checkpointsOf(second).restore()
  expect(run(second, 'rev-parse', 'HEAD')).toBe(head)
})

test('a pipe in the place of a file and a file that is too large are named, and the rest is saved', async () => {
  const first = clone('first')
  dirty(first)
  const head = run(first, 'rev-parse', 'HEAD')
  rmSync(join(first, 'kept.txt'))
  execFileSync('mkfifo', [join(first, 'kept.txt'), join(first, 'unknown pipe')])
  writeFileSync(join(first, 'large *.bin'), '')
  truncateSync(join(first, 'large *.bin'), 600 * 1024 * 1024)
  expect(await checkpointsOf(first).save('turn')).toBe(1)
  const message = 'Not saved, since it is too large or cannot be read: large *.bin, kept.txt'
  expect(events).toEqual([{ number: 1, state: 'saved', reason: 'turn', message }])
  const second = clone('second')
  await checkpointsOf(second).restore()
  expect(run(second, 'rev-parse', 'HEAD')).toBe(head)
  expect(readFileSync(join(second, 'staged.txt'), 'utf8')).toBe('staged, and changed again\n')
})

test('looking at another repository in the workspace holds no lock of it', async () => {
  const first = clone('first')
  run(first, 'clone', '-q', path('origin.git'), 'fetched')
  const index = join(first, 'fetched', '.git', 'index')
  const { ino } = statSync(index)
  utimesSync(join(first, 'fetched', 'kept.txt'), 1, 1)
  await checkpointsOf(first).save('turn')
  expect(statSync(index).ino).toBe(ino)
})
