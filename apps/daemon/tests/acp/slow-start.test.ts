import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { harnessLaunch, harnessVariable } from '@svc/harness'
import { expect, onTestFinished, test } from 'vitest'
import { createLog } from '../../src/log.ts'
import { createAcp } from '../../src/runtimes/acp/acp.ts'
import { createGateway } from '../../src/runtimes/gateway.ts'
import { Supervisor } from '../../src/runtimes/supervisor.ts'
import type { AgentSettingsInput } from '../support/acp-agent/settings.ts'
import { acpSandbox } from '../support/acp-sandbox.ts'
import { builtAcpAgent } from '../support/bundle.ts'
import { processesWith } from '../support/processes.ts'
import { waitFor } from '../support/wait-for.ts'

/** A supervisor of the small agent, with a start of this length and no second try. */
async function supervise(slow_start_ms: number, readyMs: number) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-slow-'))
  const [workspace, home] = [join(folder, 'workspace'), join(folder, 'home')]
  mkdirSync(workspace)
  const settings: AgentSettingsInput = { fault: { slow_start_ms } }
  const launch = harnessLaunch(
    {
      ...{ harness: 'mine', version: null, auth: 'gateway' },
      settings: {
        ...{ command: [process.execPath, await builtAcpAgent()], dialect: 'none', env: {}, model_env: [] },
        ...{ mode: null, options: {}, variant: null },
      },
    },
    null,
  )
  const log = createLog(() => undefined)
  const runtime = createAcp({
    ...{ workspace, home, host: '127.0.0.1', port: 4096, log },
    gateway: createGateway({ llm: null, model: undefined, log }),
    ...{ agent: 'default', skills: null, instructions: '' },
    secretNames: () => [],
    secret: () => 'secret',
  })
  await runtime.arrived()
  const supervisor = new Supervisor({
    ...{ owner: folder, runtime, standby: null, log },
    events: { onUp: async () => undefined, onDown: () => undefined, onFailed: () => undefined },
    environment: () => ({
      PATH: process.env['PATH'] ?? '',
      HOME: home,
      ACP_AGENT: JSON.stringify(settings),
      [harnessVariable]: JSON.stringify(launch),
    }),
    limits: { readyMs, restarts: { count: 0, windowMs: 60_000 } },
  })
  onTestFinished(async () => {
    await supervisor.close()
    rmSync(folder, { recursive: true, force: true })
  })
  supervisor.start()
  return { supervisor, running: () => processesWith(folder, 'acp-agent') }
}

test('an agent whose start is slow is waited for as long as it may take', async () => {
  const { supervisor } = await supervise(2_000, 20_000)
  await waitFor('the agent', () => supervisor.state === 'ready')
  expect(supervisor.error).toBeNull()
})

test('one that takes longer is ended with all that it began, and its start has failed', async () => {
  const { supervisor, running } = await supervise(600_000, 2_000)
  await waitFor('the process', () => running().length > 0)
  await waitFor('the failure', () => supervisor.state === 'failed')
  expect(supervisor.error).toBe('The agent runtime did not get ready within 2 s')
  expect(running()).toEqual([])
})

test('the platform is given the time of a start, and of the first word of each turn', async () => {
  const sandbox = await acpSandbox('127.41.1.7', { fault: { slow_start_ms: 300 } })
  await sandbox.ready()
  sandbox.model.on('go', [{ text: 'Gone.' }])
  const prompt_id = await sandbox.prompt('go')
  await sandbox.turnEnd(prompt_id)
  const { reports } = sandbox.platform
  const started = reports.flatMap((one) => (one.kind === 'runtime_info' ? (one.ready_ms ?? []) : []))
  expect(started[0]).toBeGreaterThanOrEqual(300)
  const words = reports.flatMap((one) => (one.kind === 'turn_end' ? (one.first_token_ms ?? []) : []))
  expect(words).toHaveLength(1)
  expect(words[0]).toBeLessThan(60_000)
})
