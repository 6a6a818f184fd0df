import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { chooseRuntime } from './choose.ts'
import { createGateway } from './gateway.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-choose-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const choose = (expected: 'agentrt' | 'pi' | undefined) => {
  const log = createLog(() => undefined)
  return chooseRuntime({
    workspace: join(folder, 'workspace'),
    home: join(folder, 'home'),
    host: '127.0.0.1',
    port: 4096,
    gateway: createGateway({ llm: null, model: undefined, log }),
    agent: 'default',
    skills: null,
    instructions: '',
    secret_names: [],
    secret: () => 'secret',
    log,
    expected,
  })
}
const manifest = (text: string): void => writeFileSync(join(folder, 'workspace', 'svc.yaml'), text)

test('before the repository is there, what is expected starts', async () => {
  expect((await choose(undefined).launch({})).file).toBe('agentrt')
  expect((await choose('pi').launch({})).file).toBe('pi')
})

test('a manifest that names another runtime costs one more start, the same one none', async () => {
  const runtime = choose('pi')
  await runtime.launch({})
  manifest('runtime: pi\n')
  expect(await runtime.settle()).toBe(false)
  manifest('runtime: agentrt\n')
  expect(await runtime.settle()).toBe(true)
  expect((await runtime.launch({})).file).toBe('agentrt')
  expect(runtime.name).toBe('agentrt')
  expect(await runtime.settle()).toBe(false)
})

test('a repository without a manifest runs on the usual one', async () => {
  const runtime = choose('pi')
  await runtime.launch({})
  expect(await runtime.settle()).toBe(true)
  expect((await runtime.launch({})).file).toBe('agentrt')
  expect(await runtime.settle()).toBe(false)
})
