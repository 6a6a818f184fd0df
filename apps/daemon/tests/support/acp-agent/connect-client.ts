import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { Readable, Writable } from 'node:stream'
import {
  client,
  type ClientContext,
  type CreateElicitationRequest,
  type InitializeResponse,
  ndJsonStream,
  type RequestPermissionRequest,
  type SessionUpdate,
} from '@agentclientprotocol/sdk'
import type { ScriptedModel } from '../scripted-model.ts'
import type { AgentSettingsInput } from './settings.ts'
import { createTerminals } from './client-terminals.ts'

export interface AgentProcess {
  readonly agent: ClientContext
  readonly introduction: InitializeResponse
  readonly updates: SessionUpdate[]
  readonly permissions: RequestPermissionRequest[]
  readonly forms: CreateElicitationRequest[]
  /** Commands that the agent has run in terminals of the client. */
  readonly commands: string[]
  readonly exited: Promise<unknown>
  /** The text of all chunks of one kind. */
  text(kind?: string): string
  stop(): void
}
export interface AgentStart {
  readonly program: string
  readonly home: string
  readonly model: ScriptedModel
  readonly settings?: AgentSettingsInput
  /** The option that each permission is answered with, or null for "cancelled". */
  readonly leave?: string | null
}

/** A process of the agent and a client that has introduced itself, with files, terminals and forms. */
export async function connectClient(start: AgentStart): Promise<AgentProcess> {
  const { program, home, model, settings = {}, leave = 'once' } = start
  const child = spawn(process.execPath, [program], {
    cwd: home,
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_API_KEY: 'key-of-the-test',
      ACP_AGENT: JSON.stringify({ auth_gateway: false, ...settings }),
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const seen = {
    updates: [] as SessionUpdate[],
    permissions: [] as RequestPermissionRequest[],
    forms: [] as CreateElicitationRequest[],
  }
  const terminals = createTerminals()
  const app = client({ name: 'test' })
    .onNotification('session/update', ({ params }) => void seen.updates.push(params.update))
    .onRequest('session/request_permission', ({ params }) => {
      seen.permissions.push(params)
      return { outcome: leave === null ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: leave } }
    })
    .onRequest('elicitation/create', ({ params }) => {
      seen.forms.push(params)
      return { action: 'accept', content: { answer: 'Blue' } }
    })
    .onRequest('fs/write_text_file', ({ params }) => writeFileSync(params.path, params.content))
    .onRequest('fs/read_text_file', ({ params }) => ({ content: readFileSync(params.path, 'utf8') }))
    .onRequest('terminal/create', ({ params }) => terminals.create(params))
    .onRequest('terminal/output', ({ params }) => terminals.output(params.terminalId))
    .onRequest('terminal/wait_for_exit', ({ params }) => terminals.wait(params.terminalId))
    .onRequest('terminal/kill', ({ params }) => terminals.kill(params.terminalId))
    .onRequest('terminal/release', () => undefined)
  const input: ReadableStream<Uint8Array> = Readable.toWeb(child.stdout)
  const { agent } = app.connect(ndJsonStream(Writable.toWeb(child.stdin), input))
  const introduction = await agent.request('initialize', {
    protocolVersion: 1,
    clientCapabilities: {
      fs: { readTextFile: true, writeTextFile: true },
      terminal: true,
      elicitation: { form: {} },
    },
  })
  return {
    agent,
    introduction,
    ...seen,
    commands: terminals.commands,
    exited: once(child, 'exit'),
    text: (kind = 'agent_message_chunk') =>
      seen.updates
        .map((update) =>
          update.sessionUpdate === kind && 'content' in update && !Array.isArray(update.content)
            ? update.content
            : undefined,
        )
        .map((content) => (content?.type === 'text' ? content.text : ''))
        .join(''),
    stop: () => void child.kill('SIGKILL'),
  }
}
