import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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

test.each(['agentrt', 'pi'] as const)(
  '%s runs where the platform names it, whatever the checkout says',
  async (name) => {
    const workspace = join(folder, 'workspace')
    mkdirSync(workspace)
    writeFileSync(join(workspace, 'svc.yaml'), `runtime: ${name === 'pi' ? 'agentrt' : 'pi'}\n`)
    const log = createLog(() => undefined)
    const runtime = chooseRuntime(name, {
      workspace,
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
    expect((await runtime.launch({})).file).toBe(name)
    expect(runtime.name).toBe(name)
    expect(await runtime.settle()).toBe(false)
  },
)
