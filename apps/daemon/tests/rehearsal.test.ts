import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createLog } from '../src/log.ts'
import { startWaiting, type WaitingLaunch, type WaitingRuntime } from '../src/runtimes/waiting.ts'
import { goesWord, rehearsalVariable, rehearsesWord, waitsWord } from '../src/runtimes/waiting-words.ts'
import { openStage } from '../src/warm/stage.ts'
import { waitFor } from './support/wait-for.ts'

/** Takes environments as every runtime does, and says what it was given. */
const program = `
let text = ''
console.log('${waitsWord}')
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  const lines = (text + chunk).split('\\n')
  text = lines.pop()
  for (const line of lines) {
    const given = JSON.parse(line)
    console.log('given ' + given.WHOSE)
    console.log('${rehearsalVariable}' in given ? '${rehearsesWord}' : '${goesWord}')
  }
})
`

type Play = NonNullable<Parameters<typeof startWaiting>[4]>

let folder: string
let said: string[] = []
let waiting: WaitingRuntime

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-rehearsal-test-'))
})
afterEach(() => {
  waiting.end()
  said = []
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function begin(play: Play): Promise<WaitingLaunch> {
  const launch: WaitingLaunch = {
    file: process.execPath,
    args: ['-e', program],
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '' },
    isReady: (line) => line.includes(waitsWord),
    rehearsal: () => Promise.reject(new Error('It is played here')),
  }
  const log = createLog((line) => said.push(line))
  waiting = await startWaiting(`rehearsal-${process.pid}`, launch, 'secret', log, play)
  return launch
}
/** As the supervisor asks for its session, whose environment is taken. */
async function take(launch: WaitingLaunch): Promise<string[]> {
  const heard: string[] = []
  const session = { ...launch, env: { ...launch.env, WHOSE: 'the session' } }
  expect(await waiting.fits(launch)).toBe(true)
  waiting.give(session.env, (line) => heard.push(line))
  await waitFor('the session', async () => heard.includes(goesWord))
  return heard
}
const words = () => said.join('')

test('it has the environment of the rehearsal first, then that of the session', async () => {
  const launch = await begin((lend) => lend({ WHOSE: 'the rehearsal' }))
  await waitFor('the rehearsal', async () => words().includes('an agent runtime has rehearsed'))
  const heard = await take(launch)
  expect(heard.filter((line) => line.startsWith('given'))).toEqual([
    'given the rehearsal',
    'given the session',
  ])
})

test('one that fails is told, and the process is there for its session', async () => {
  const launch = await begin(async (lend) => {
    await lend({ WHOSE: 'the rehearsal' })
    throw new Error('the model broke')
  })
  await waitFor('the failure', async () => words().includes('an agent runtime has not rehearsed'))
  expect(words()).toContain('the model broke')
  expect(await take(launch)).toContain('given the session')
})

test('one that never ends is cut short by a session', async () => {
  let isCut = false
  const launch = await begin(async (lend, signal) => {
    await lend({ WHOSE: 'the rehearsal' })
    said.push('it plays')
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    isCut = true
    signal.throwIfAborted()
  })
  await waitFor('the play', async () => words().includes('it plays'))
  expect(await take(launch)).toContain('given the session')
  expect(isCut).toBe(true)
  expect(words()).toContain('was cut short')
})

test('one that does not even end then is not given the session', async () => {
  const launch = await begin(() => new Promise(() => undefined))
  await waitFor('the process', async () => words().includes('an agent runtime waits'))
  expect(await waiting.fits(launch)).toBe(false)
})

test('a stage is a repository with a model, and nothing is left of it', async () => {
  const { stage, close } = await openStage('127.0.0.1', folder)
  expect(readdirSync(stage.workspace).toSorted()).toEqual(['.git', '.svc', 'AGENTS.md', 'svc.yaml'])
  const asked = () => fetch(`${stage.model_url}/chat/completions`, { method: 'POST', body: '{}' })
  expect(await (await asked()).text()).toContain('"content":"Ready."')
  await close()
  expect(() => readdirSync(stage.folder)).toThrow('ENOENT')
  await expect(asked()).rejects.toThrow('fetch failed')
})
