import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runtimeNames } from '@svc/facts'
import { harnessLaunch, harnessVariable } from '@svc/harness'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { createGateway } from './gateway.ts'
import { createRuntime, runtimes } from './registry.ts'

const harness = harnessLaunch(
  {
    ...{ harness: 'mine', version: null, auth: 'gateway' },
    settings: {
      ...{ command: ['acp'], dialect: 'none', env: {}, model_env: [] },
      ...{ mode: null, options: {}, variant: null },
    },
  },
  null,
)

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-registry-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function create(name: string) {
  const log = createLog(() => undefined)
  return createRuntime(runtimes, name, {
    workspace: join(folder, 'workspace'),
    home: join(folder, 'home'),
    host: '127.0.0.1',
    port: 4096,
    gateway: createGateway({ llm: null, model: undefined, log }),
    agent: 'default',
    skills: null,
    instructions: '',
    secretNames: () => [],
    secret: () => 'secret',
    log,
  })
}

test.each(runtimeNames)('%s runs where the platform names it, whatever the checkout says', async (name) => {
  mkdirSync(join(folder, 'workspace'))
  const other = runtimeNames.find((known) => known !== name)
  writeFileSync(join(folder, 'workspace', 'svc.yaml'), `runtime: ${other}\n`)
  const runtime = create(name)
  expect(runtime.name).toBe(name)
  const { signal } = new AbortController()
  await runtime.arrived()
  const start = runtime.start({
    env: { PATH: folder, [harnessVariable]: JSON.stringify(harness) },
    owner: 'test',
    standby: null,
    timeoutMs: 5_000,
    signal,
  })
  await expect(start).rejects.toThrow(`spawn ${name} ENOENT`)
  await expect(start).rejects.toThrow('the image of its template, or the repository, has to bring it')
  expect(await runtime.settle()).toBe(false)
})

test('a runtime that this daemon does not have is refused by name, and no other is started in its place', () => {
  expect(() => create('later')).toThrow(`no agent runtime "later"; it has ${runtimeNames.join(', ')}`)
})
