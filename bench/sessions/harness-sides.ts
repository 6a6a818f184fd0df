import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { processesWith } from '../../apps/daemon/tests/support/processes.ts'
import type { Sandbox } from '../../apps/daemon/tests/support/sandbox.ts'
import type { HarnessLaunch } from '../../packages/harness/src/index.ts'
import { type BareAgent, startBareAgent } from './bare-acp.ts'
import { readUntil } from './measure.ts'

/** From the prompt until the first piece of an answer, and until the turn is over, in milliseconds. */
export interface Turn {
  readonly first_token: number
  readonly turn: number
}

/** A turn as a client of the daemon meets it. */
export async function turnBehindDaemon(sandbox: Sandbox): Promise<Turn> {
  const over = new AbortController()
  const init = { headers: { authorization: `Bearer ${sandbox.key}` }, signal: over.signal }
  const url = `http://${sandbox.address}:8000/svc/runtime/events`
  const [first, last] = [await fetch(url, init), await fetch(url, init)]
  const began = performance.now()
  const prompt_id = await sandbox.prompt('hello')
  const at = (response: Response, word: string) =>
    readUntil(response, (words) => words.includes(word)).then(() => performance.now() - began)
  const times = Promise.all([at(first, 'event: message.delta'), at(last, '"state":"end"')])
  // One that fails may have no first piece.
  const { status, error } = await sandbox.turnEnd(prompt_id)
  if (status !== 'completed') throw new Error(`The turn ended ${status}: ${error}`)
  const [first_token, turn] = await times
  over.abort()
  return { first_token, turn }
}

/** The command line, the environment and the files with which the daemon started its agent, in a folder of their own. */
export interface BareStart {
  readonly command: readonly [string, ...string[]]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  remove(): Promise<void>
}

/** Copies what the agent behind the daemon was given, before it has met a prompt. */
export async function bareStartOf(sandbox: Sandbox, word: string): Promise<BareStart> {
  const pid = agentOf(sandbox, word)
  const from = dirname(sandbox.home)
  const to = await mkdtemp(join(tmpdir(), 'svc-bench-bare-'))
  await cp(from, to, { recursive: true, verbatimSymlinks: true, filter: isCopied })
  const moved = (text: string): string => text.replaceAll(from, to)
  const read = async (name: string) => (await readFile(`/proc/${pid}/${name}`, 'utf8')).split('\0')
  const [file = '', ...args] = (await read('cmdline')).slice(0, -1).map(moved)
  const env = (await read('environ')).filter((one) => one.includes('='))
  return {
    command: [file, ...args],
    env: Object.fromEntries(
      env.map((one) => [one.slice(0, one.indexOf('=')), moved(one.slice(one.indexOf('=') + 1))]),
    ),
    cwd: moved(sandbox.workspace),
    remove: () => rm(to, { recursive: true, force: true }),
  }
}

/** The sockets in it are the daemon's own. */
const isCopied = (path: string): boolean => !path.endsWith('.sock')

/** The process that the daemon started: of those that look like it, the one that no other of them began. */
function agentOf(sandbox: Sandbox, word: string): number {
  const pids = processesWith(sandbox.home, word)
  const found = pids.find((pid) => !pids.includes(parentOf(pid)) && pid !== sandbox.process?.pid)
  if (found === undefined) throw new Error(`No process of the sandbox has ${word} in its command line`)
  return found
}

const parentOf = (pid: number): number =>
  Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])

const Initialized = z.looseObject({ authMethods: z.array(z.looseObject({ id: z.string() })).default([]) })
const Opened = z.looseObject({
  sessionId: z.string(),
  configOptions: z
    .array(
      z.looseObject({
        ...{ id: z.string(), category: z.string().nullish() },
        options: z.array(z.looseObject({ value: z.string() })).default([]),
      }),
    )
    .nullish(),
  models: z.looseObject({ availableModels: z.array(z.looseObject({ modelId: z.string() })) }).nullish(),
})

export interface BareSession {
  readonly initialize_ms: number
  readonly session_ms: number
  turn(): Promise<Turn>
  close(): Promise<void>
}

/** The same program before a client of a few lines: met, signed in, opened, and given its model. */
export async function openBareSession(start: BareStart, launch: HarnessLaunch): Promise<BareSession> {
  const [file, ...args] = start.command
  const began = performance.now()
  const agent = startBareAgent(file, args, start)
  const met = await agent.ask('initialize', { protocolVersion: 1, clientCapabilities: bareCapabilities })
  const initialize_ms = performance.now() - began
  await signIn(agent, start, launch, Initialized.parse(met))
  const opened = Opened.parse(await agent.ask('session/new', { cwd: start.cwd, mcpServers: [] }))
  const session_ms = performance.now() - began
  await chooseModel(agent, opened)
  const prompt = { sessionId: opened.sessionId, prompt: [{ type: 'text', text: 'hello' }] }
  return {
    initialize_ms,
    session_ms,
    turn: async () => {
      const at = performance.now()
      let first_token = 0
      await agent.ask('session/prompt', prompt, () => (first_token ||= performance.now() - at))
      return { first_token, turn: performance.now() - at }
    },
    close: () => agent.close(),
  }
}

const bareCapabilities = { auth: { _meta: { gateway: true } } }

async function signIn(
  agent: BareAgent,
  { env }: BareStart,
  { gateway, settings }: HarnessLaunch,
  { authMethods }: z.infer<typeof Initialized>,
): Promise<void> {
  const isOffered = authMethods.some(({ id }) => id === 'gateway')
  if (gateway !== 'authenticate' || !isOffered) return
  const [baseUrl, headers] = [env['SVC_LLM_BASE_URL'], { Authorization: `Bearer ${env['SVC_LLM_API_KEY']}` }]
  const protocol = settings.dialect === 'generate_content' ? { protocol: 'google' } : {}
  await agent.ask('authenticate', {
    methodId: 'gateway',
    _meta: { gateway: { baseUrl, headers, ...protocol } },
  })
}

async function chooseModel(agent: BareAgent, opened: z.infer<typeof Opened>): Promise<void> {
  const { sessionId } = opened
  const isOurs = (name: string): boolean => name.endsWith('acme/m1')
  const option = opened.configOptions?.find(({ category }) => category === 'model')
  const value = option?.options.find((one) => isOurs(one.value))?.value
  if (option !== undefined && value !== undefined) {
    await agent.ask('session/set_config_option', { sessionId, configId: option.id, value })
    return
  }
  const model = opened.models?.availableModels.find(({ modelId }) => isOurs(modelId))
  if (model !== undefined) await agent.ask('session/set_model', { sessionId, modelId: model.modelId })
}
