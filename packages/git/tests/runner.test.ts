import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { gitEnvironment } from '../src/runner/environment.ts'
import { Runner } from '../src/runner/runner.ts'

const make = () =>
  new Runner({
    environment: { ...gitEnvironment('/nonexistent', { EXTRA: 'given' }), GIT_CONFIG_GLOBAL: '/dev/null' },
    directory: tmpdir(),
    concurrency: 2,
  })

/** A git that starts a shell that starts a sleeper with a duration that no other process uses. */
const sleeper = (seconds: number) => ['-c', `alias.nap=!sleep ${seconds}; true`, 'nap']

async function sleeping(seconds: number): Promise<boolean> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'stat,args'])
  return stdout.split('\n').some((line) => line.endsWith(`sleep ${seconds}`) && !line.startsWith('Z'))
}

test('invariant 8: a signal ends git and everything it started', async () => {
  const controller = new AbortController()
  const running = make().run(sleeper(71_001), { signal: controller.signal })
  await expect.poll(() => sleeping(71_001)).toBe(true)
  controller.abort(new Error('deadline'))
  await expect(running).rejects.toThrow('deadline')
  await expect.poll(() => sleeping(71_001)).toBe(false)
})

test('so does a limit of time', async () => {
  await expect(make().run(sleeper(71_002), { timeout_ms: 50 })).rejects.toThrow('longer than 50 ms')
  await expect.poll(() => sleeping(71_002)).toBe(false)
})

test('so does closing, after which nothing starts', async () => {
  const runner = make()
  const running = runner.run(sleeper(71_003))
  const outcome = expect(running).rejects.toThrow('closed')
  await expect.poll(() => sleeping(71_003)).toBe(true)
  await runner.close()
  await outcome
  await expect.poll(() => sleeping(71_003)).toBe(false)
  await expect(runner.run(['version'])).rejects.toThrow('closed')
})

test('a child sees nothing of the environment around it', async () => {
  const { stdout } = await make().run(['-c', 'alias.surroundings=!env', 'surroundings'], {
    config: [['a.b', 'c']],
  })
  const names = stdout
    .toString()
    .split('\n')
    .map((line) => line.split('=')[0] ?? '')
  expect(names).toEqual(expect.arrayContaining(['EXTRA', 'GIT_CONFIG_NOSYSTEM', 'GIT_CONFIG_COUNT']))
  const ours = Object.keys(process.env).filter((name) => /^(npm_|VITEST|NODE_|USER|SSH_)/.test(name))
  expect(names.filter((name) => ours.includes(name))).toEqual([])
})

test('exit codes are values, output is bounded, input is given', async () => {
  const runner = make()
  expect(await runner.run(['nonsense'])).toMatchObject({
    exit_code: 1,
    stderr: expect.stringContaining('nonsense'),
  })
  const hashed = await runner.run(['hash-object', '--stdin'], { input: 'x' })
  expect(hashed.stdout.toString().trim()).toMatch(/^[0-9a-f]{40}$/)
  const endless = await runner.run(['-c', 'alias.flood=!yes', 'flood'], { max_output: 10_000 })
  expect(endless).toMatchObject({ cut: true })
  expect(endless.stdout.length).toBe(10_000)
  const unread = await runner.run(['version'], { input: 'x'.repeat(1_000_000) })
  expect(unread.exit_code).toBe(0)
})
