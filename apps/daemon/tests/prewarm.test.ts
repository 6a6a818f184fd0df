import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createLog } from '../src/log.ts'
import { spawnStandby, type StandbyLaunch, type StandbyRuntime } from '../src/runtimes/standby/standby.ts'
import {
  claimedWord,
  prewarmVariable,
  prewarmingWord,
  standbyWord,
} from '../src/runtimes/standby/standby-words.ts'
import { openFixture } from '../src/warm/fixture.ts'
import { waitFor } from './support/wait-for.ts'

/** Takes environments as every runtime does, and says what it was given. */
const program = `
let text = ''
console.log('${standbyWord}')
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  const lines = (text + chunk).split('\\n')
  text = lines.pop()
  for (const line of lines) {
    const given = JSON.parse(line)
    console.log('given ' + given.WHOSE)
    console.log('${prewarmVariable}' in given ? '${prewarmingWord}' : '${claimedWord}')
  }
})
`

type Play = NonNullable<Parameters<typeof spawnStandby>[4]>

let folder: string
let said: string[] = []
let standby: StandbyRuntime

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-prewarm-test-'))
})
afterEach(() => {
  standby.end()
  said = []
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function begin(run: Play): Promise<StandbyLaunch> {
  const launch: StandbyLaunch = {
    file: process.execPath,
    args: ['-e', program],
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '' },
    isReady: (line) => line.includes(standbyWord),
    readsAtStart: (variable) => variable === 'PATH',
    prewarm: () => Promise.reject(new Error('This test prewarms by itself')),
  }
  const log = createLog((line) => said.push(line))
  standby = await spawnStandby(`prewarming-${process.pid}`, launch, 'secret', log, run)
  return launch
}
/** Gives the process a session's environment, as the supervisor does. */
async function take(launch: StandbyLaunch): Promise<string[]> {
  const lines: string[] = []
  const session = { ...launch, env: { ...launch.env, WHOSE: 'the session' } }
  expect(await standby.fits(launch)).toBe(true)
  standby.give(session.env, (line) => lines.push(line))
  await waitFor('the session', async () => lines.includes(claimedWord))
  return lines
}
const words = () => said.join('')

test('it has the environment of the prewarming first, then that of the session', async () => {
  const launch = await begin((setEnvironment) => setEnvironment({ WHOSE: 'the prewarming' }))
  await waitFor('the prewarming', async () => words().includes('a standby runtime is prewarmed'))
  const lines = await take(launch)
  expect(lines.filter((line) => line.startsWith('given'))).toEqual([
    'given the prewarming',
    'given the session',
  ])
})

test('one that fails is told, and the process is there for its session', async () => {
  const launch = await begin(async (setEnvironment) => {
    await setEnvironment({ WHOSE: 'the prewarming' })
    throw new Error('the model broke')
  })
  await waitFor('the failure', async () => words().includes('a standby runtime was not prewarmed'))
  expect(words()).toContain('the model broke')
  expect(await take(launch)).toContain('given the session')
})

test('one that never ends is cut short by a session', async () => {
  let isCut = false
  const launch = await begin(async (setEnvironment, signal) => {
    await setEnvironment({ WHOSE: 'the prewarming' })
    said.push('it plays')
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    isCut = true
    signal.throwIfAborted()
  })
  await waitFor('the run', async () => words().includes('it plays'))
  expect(await take(launch)).toContain('given the session')
  expect(isCut).toBe(true)
  expect(words()).toContain('was cut short')
})

test('one that does not even end then is not given the session', async () => {
  const launch = await begin(() => new Promise(() => undefined))
  await waitFor('the process', async () => words().includes('a standby runtime is ready'))
  expect(await standby.fits(launch)).toBe(false)
})

test('a fixture is a repository with a model, and nothing is left of it', async () => {
  const { fixture, close } = await openFixture('127.0.0.1', folder)
  expect(readdirSync(fixture.workspace).toSorted()).toEqual(['.git', '.svc', 'AGENTS.md', 'svc.yaml'])
  const asked = () => fetch(`${fixture.model_url}/chat/completions`, { method: 'POST', body: '{}' })
  expect(await (await asked()).text()).toContain('"content":"Ready."')
  await close()
  expect(() => readdirSync(fixture.folder)).toThrow('ENOENT')
  await expect(asked()).rejects.toThrow('fetch failed')
})
