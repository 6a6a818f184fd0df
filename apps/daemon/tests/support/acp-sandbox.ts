import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setInterval } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import type { AgentSettingsInput } from './acp-agent/settings.ts'
import { acpAgent } from './dialects.ts'
import { processesWith } from './processes.ts'
import { runtimeFiles } from './runtime-files.ts'
import { makeSandbox, type Sandbox } from './sandbox.ts'
import { waitFor } from './wait-for.ts'

/** A sandbox of one test whose agent is the small one of the tests, started with these settings. */
export async function acpSandbox(
  address: string,
  settings: AgentSettingsInput,
  {
    environment = {},
    files = {},
  }: {
    readonly environment?: Readonly<Record<string, string>>
    /** Of the repository, beside or in place of its own. */
    readonly files?: Readonly<Record<string, string>>
  } = {},
): Promise<Sandbox> {
  const made = await acpAgent(settings).make()
  const sandbox = await makeSandbox({
    ...made,
    ...{ address, runtime_name: 'acp' },
    environment: { ...made.environment, ...environment },
  })
  onTestFinished(() => sandbox.close())
  sandbox.origin.commit('main', { ...runtimeFiles('acp'), ...files })
  sandbox.origin.commit(sandbox.session_id, {}, 'main')
  sandbox.start()
  return sandbox
}

/** A path for the file by which a fault happens once. */
export function oncePath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-once-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'once')
}

/** The process of the agent that runs now. */
export const agentOf = ({ workspace }: Sandbox): Promise<number> =>
  waitFor('the agent', () => processesWith(`AGENTRT_CONFIG_DIR=${workspace}`, 'acp-agent').at(0))

/** Answers every request for leave with once, for the rest of the test. */
export function permitAll({ platform, call }: Sandbox): void {
  const over = new AbortController()
  onTestFinished(() => over.abort())
  const answered = new Set<unknown>()
  void (async () => {
    for await (const _ of setInterval(25, null, { signal: over.signal })) {
      const asked = platform.asks.filter(({ body }) => !answered.has(body))
      await Promise.all(
        asked.map(({ body }) => {
          answered.add(body)
          const { request_id } = body as { request_id: string }
          const act = { kind: 'permission', id: request_id, reply: 'once' }
          return call('/svc/runtime/act', { body: act }).catch(() => undefined)
        }),
      )
    }
  })().catch(() => undefined)
}

/** Everything that the agent said, as people read it. */
export const saidBy = ({ platform }: Sandbox): string[] =>
  platform
    .events('message')
    .filter(({ payload }) => payload['role'] === 'assistant' && payload['thought'] !== true)
    .map(({ payload }) => String(payload['text']))

/** Nothing was reported twice, nothing that the platform refuses, and no call of a tool is left open. */
export function problemsOf({ platform }: Sandbox): unknown[] {
  const ids = platform.events().map(({ event_id }) => event_id)
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index)
  const last = new Map(
    platform.events('tool').map(({ payload }) => [String(payload['call_id']), payload['status']]),
  )
  const open = [...last].filter(([, status]) => status !== 'completed' && status !== 'error')
  return [...platform.problems, ...twice, ...open]
}

/** Lets the platform have the conversation as its record, as it was reported so far. */
export function keepRecord({ platform }: Sandbox): void {
  platform.history = platform.events('message').map(({ at, payload }) => ({
    message_id: String(payload['message_id']),
    role: payload['role'] === 'user' ? 'user' : 'assistant',
    ...{ at, text: String(payload['text']), tools: [], error: null },
  }))
}
