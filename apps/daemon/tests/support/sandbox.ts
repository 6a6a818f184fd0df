import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { signUserContext } from '../../src/access/user-context.ts'
import { type GitOrigin, startGitOrigin } from './git-origin.ts'
import { type FakePlatform, startFakePlatform } from './platform.ts'
import { ripgrepBinary } from './runtime-binary.ts'
import { type ScriptedModel, startScriptedModel } from './scripted-model.ts'
import { waitFor } from './wait-for.ts'

const Health = z.object({
  status: z.string(),
  runtime: z.object({ name: z.string(), state: z.string(), session_id: z.string().nullable() }),
  repo: z.object({
    state: z.string(),
    branch: z.string().nullable(),
    commit: z.string().nullable(),
    error: z.string().nullable(),
  }),
  error: z.string().nullable(),
})
export type Health = z.infer<typeof Health>

/** A daemon with everything around it: origin, platform, model, folders, and an address of its own. */
export interface Sandbox {
  readonly address: string
  readonly session_id: string
  readonly key: string
  readonly workspace: string
  readonly home: string
  readonly platform: FakePlatform
  readonly model: ScriptedModel
  readonly origin: GitOrigin
  readonly output: string[]
  process: ChildProcess | null
  start(more?: Record<string, string>): void
  /** Starts one of the pool, with a runtime that waits beside it and has said this; the claim gives it its session. */
  startWarm(runtime: string, said: string): Promise<{ claim(more?: Record<string, string>): Promise<number> }>
  ready(): Promise<Health>
  health(): Promise<Health | null>
  /** As the platform, with the service key. */
  call(
    path: string,
    init?: { method?: string; body?: unknown; headers?: Record<string, string> },
  ): Promise<{ status: number; body: unknown; headers: Headers }>
  userContext(role?: 'owner' | 'viewer'): string
  prompt(text: string, more?: object): Promise<string>
  turnEnd(prompt_id: string): Promise<{ status: string; error?: string | undefined }>
  signal(signal: NodeJS.Signals): Promise<number | null>
  close(): Promise<void>
}

export async function makeSandbox(parts: {
  bundle: string
  /** Binaries, each behind a command. */
  binaries?: Readonly<Record<string, string>>
  /** Programs for Node, each behind a command. */
  programs?: Readonly<Record<string, string>>
  /** The runtime that the platform names; when it names none, the daemon begins with `agentrt` and reads the manifest. */
  runtime_name?: string
  /** More variables of the session. */
  environment?: Readonly<Record<string, string>>
  /** Words before the command line of the daemon, which end in its own process. */
  before?: readonly string[]
  address: string
}): Promise<Sandbox> {
  const { bundle, binaries = {}, programs = {}, runtime_name, address } = parts
  const { environment: more_environment = {}, before = [] } = parts
  const folder = mkdtempSync(join(tmpdir(), 'svc-sandbox-'))
  const [bin, workspace, home] = ['bin', 'workspace', 'home'].map((name) => join(folder, name))
  if (!bin || !workspace || !home) throw new Error('no folders')
  mkdirSync(bin)
  mkdirSync(home)
  for (const [name, binary] of Object.entries(binaries)) symlinkSync(binary, join(bin, name))
  const search = ripgrepBinary()
  if (search !== null) symlinkSync(search, join(bin, 'rg'))
  for (const [name, program] of Object.entries(programs)) {
    const script = `#!/bin/sh\nexec '${process.execPath}' '${program}'\n`
    writeFileSync(join(bin, name), script, { mode: 0o755 })
  }
  const session_id = randomUUID()
  const key = `svc_sbx_${randomUUID()}`
  const [platform, model, origin] = await Promise.all([
    startFakePlatform(address, key, folder),
    startScriptedModel(address),
    startGitOrigin(address, folder, 'git-secret-token'),
  ])
  platform.credential = {
    repo_url: origin.url,
    auth: { username: 'x-access-token', token: 'git-secret-token', type: 'basic' },
    source: 'managed',
    expires_at: null,
  }
  const environment: Record<string, string> = {
    PATH: `${bin}:${process.env['PATH'] ?? ''}`,
    HOME: home,
    TMPDIR: folder,
    SVC_WORKSPACE: workspace,
    SVC_SANDBOX_ADDRESS: address,
    SVC_PROJECT_ID: randomUUID(),
    SVC_SESSION_ID: session_id,
    SVC_BRANCH_NAME: session_id,
    SVC_REPO_URL: origin.url,
    SVC_DEFAULT_BRANCH: 'main',
    SVC_BASE_REF: 'main',
    SVC_API_URL: platform.apiUrl,
    SVC_AGENT_NAME: 'coder',
    SVC_AGENT_SKILLS: '["release-notes"]',
    SVC_PROJECT_AUTO_CLONE: '1',
    SVC_SANDBOX_TOKEN: key,
    SVC_TOKEN: key,
    SVC_CLI_TOKEN: 'svc_pat_for-the-agent',
    SVC_EXECUTOR_TOKEN: 'svc_pat_for-the-agent',
    SVC_LLM_BASE_URL: model.baseUrl,
    SVC_LLM_API_KEY: 'svc_gw_for-the-agent',
    PROJECT_SECRET: 'project-secret-value',
    SVC_PROJECT_SECRET_NAMES: 'PROJECT_SECRET',
    ...(runtime_name !== undefined && { SVC_RUNTIME: runtime_name }),
    ...more_environment,
  }
  const base = `http://${address}:8000`
  const output: string[] = []
  const started: ChildProcess[] = []

  const sandbox: Sandbox = {
    address,
    session_id,
    key,
    workspace,
    home,
    platform,
    model,
    origin,
    output,
    process: null,
    start: (more = {}) => {
      const env = { ...environment, ...more }
      const [file = '', ...args] = [...before, process.execPath, bundle]
      const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
      sandbox.process = child
      started.push(child)
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk: Buffer) => output.push(chunk.toString('utf8')))
      }
    },
    startWarm: async (runtime, said) => {
      const initial = ['PATH', 'HOME', 'TMPDIR', 'SVC_WORKSPACE', 'SVC_SANDBOX_ADDRESS', 'SVC_API_URL']
      const env = Object.fromEntries(initial.map((name) => [name, environment[name]]))
      const child = spawn(process.execPath, [bundle], {
        env: { ...env, SVC_WARM_KEY: 'once', SVC_WARM_RUNTIME: runtime },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      sandbox.process = child
      started.push(child)
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk: Buffer) => output.push(chunk.toString('utf8')))
      }
      await waitFor(`a runtime that waits; it said ${output.join('')}`, async () =>
        output.join('').includes(said),
      )
      return {
        claim: async (more = {}) => {
          const body = JSON.stringify({ environment: { ...environment, ...more } })
          const headers = { authorization: 'Bearer once', connection: 'close' }
          return (await fetch(`${base}/svc/claim`, { method: 'POST', headers, body })).status
        },
      }
    },
    health: async () => {
      try {
        const response = await fetch(`${base}/svc/health`, { headers: { connection: 'close' } })
        return Health.parse(await response.json())
      } catch {
        return null
      }
    },
    ready: () =>
      waitFor(`a ready sandbox; it said ${output.join('')}`, async () => {
        const health = await sandbox.health()
        return health?.status === 'ready' ? health : null
      }),
    call: async (path, init = {}) => {
      const headers: Record<string, string> = {
        authorization: `Bearer ${key}`,
        connection: 'close',
        ...init.headers,
      }
      const body = init.body === undefined ? {} : { body: JSON.stringify(init.body) }
      const method = init.method ?? (init.body === undefined ? 'GET' : 'POST')
      const response = await fetch(`${base}${path}`, { method, headers, ...body })
      const text = await response.text()
      return { status: response.status, body: parse(text), headers: response.headers }
    },
    userContext: (role = 'owner') => {
      const iat = Math.floor(Date.now() / 1000)
      const scopes = ['read', 'write']
      const context = { userId: 'u1', sandboxId: session_id, sandboxRole: role, scopes, iat, exp: iat + 60 }
      return signUserContext(context, key)
    },
    prompt: async (text, more = {}) => {
      const prompt_id = randomUUID()
      const answer = await sandbox.call('/svc/runtime/prompt', { body: { text, prompt_id, ...more } })
      if (answer.status !== 202) throw new Error(`the prompt was answered ${answer.status}`)
      return prompt_id
    },
    turnEnd: (prompt_id) =>
      waitFor(`the end of turn ${prompt_id}`, () =>
        platform.reports.find(
          (report): report is Extract<typeof report, { kind: 'turn_end' }> =>
            report.kind === 'turn_end' && report.prompt_id === prompt_id,
        ),
      ),
    signal: async (signal) => {
      if (!sandbox.process) return null
      await end(sandbox.process, signal)
      return sandbox.process.exitCode
    },
    close: async () => {
      await Promise.all(started.map((child) => end(child, 'SIGTERM')))
      await Promise.all([platform.close(), model.close(), origin.close()])
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
  return sandbox
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
