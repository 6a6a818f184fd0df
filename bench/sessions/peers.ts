import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RuntimeName } from '@svc/facts'
import { installedVersion } from '../../apps/daemon/code-cache/installed-version.ts'
import { freePort } from '../../scripts/free-port.ts'
import { readUntil, run, timed } from './measure.ts'
import { startModel } from './model.ts'
import { printed } from './platform.ts'

const daemon = fileURLToPath(new URL('../../apps/daemon', import.meta.url))

/** Files that the peers leave: removed when nothing is measured, since a deletion keeps a disk busy after its end. */
const litter: string[] = []

async function newFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `svc-bench-${name}-`))
  litter.push(folder)
  return folder
}

export async function clean(): Promise<void> {
  for (const folder of litter.splice(0)) await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}

/** A checkout as a person makes it, and one start of Node, since the daemon is a Node program. */
export async function cloneAndNode(url: string, token: string): Promise<{ ms: number; clone: string }> {
  const clone = join(await newFolder('clone'), 'clone')
  const header = `http.extraHeader=Authorization: Basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`
  const ms = await timed(async () => {
    await run('git', ['-c', header, 'clone', '-q', url, clone])
    await run(process.execPath, ['-e', '0'])
  })
  return { ms, clone }
}

/** A branch, as a session's create makes one. */
export function updateRef(bare: string): Promise<number> {
  return timed(() =>
    run('git', ['-C', bare, 'update-ref', `refs/heads/bench-${randomUUID()}`, 'refs/heads/main']),
  )
}

/**
 * The runtime as its makers ship it, alone in a clone that is there: from its start to the first piece of an answer of a
 * model on this machine; null for one that nothing is known of.
 */
export async function bareRuntime(runtime: RuntimeName, clone: string): Promise<number | null> {
  const start = bare[runtime]
  if (start === undefined) return null
  const folder = await newFolder('runtime')
  const model = await startModel()
  try {
    return await start(folder, clone, model.url)
  } finally {
    await model.close()
  }
}

/** pi has no server: it is spoken with over its standard input and output. */
async function barePi(folder: string, clone: string, baseUrl: string): Promise<number> {
  const program = createRequire(join(daemon, 'package.json'))
    .resolve.paths('@earendil-works/pi-coding-agent')
    ?.map((place) => join(place, '@earendil-works/pi-coding-agent/dist/cli.js'))
    .find((place) => existsSync(place))
  if (program === undefined) throw new Error('pi is not installed')
  const compat = { supportsDeveloperRole: false, supportsReasoningEffort: false }
  const models = [{ id: 'm', contextWindow: 128_000, maxTokens: 8192 }]
  const bench = { baseUrl, api: 'openai-completions', apiKey: 'key', compat, models }
  await writeFile(join(folder, 'models.json'), JSON.stringify({ providers: { bench } }))
  const env = { PI_CODING_AGENT_DIR: folder, PI_OFFLINE: '1', PI_TELEMETRY: '0' }
  const args = [program, '--mode', 'rpc', '--model', 'bench/m']
  return untilSaid({ file: process.execPath, args, env, folder, clone }, async (child) => {
    child.stdin.write(`${JSON.stringify({ id: 'r1', type: 'prompt', message: 'hello' })}\n`)
    await printed(child, '"text_delta"')
  })
}

async function bareAgentrt(folder: string, clone: string, baseURL: string): Promise<number> {
  const port = await freePort()
  return untilSaid(await launchAgentrt(folder, clone, port, baseURL), async (child) => {
    await printed(child, 'listening on')
    await firstToken(`http://127.0.0.1:${port}`)
  })
}

interface Launch {
  readonly file: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly folder: string
  readonly clone: string
}

async function untilSaid(
  { file, args, env, folder, clone }: Launch,
  speak: (child: ChildProcessWithoutNullStreams) => Promise<void>,
): Promise<number> {
  const child = spawn(file, args, {
    cwd: clone,
    env: { PATH: process.env['PATH'], HOME: folder, ...env },
    stdio: 'pipe',
  })
  const ms = await timed(() => speak(child))
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
  return ms
}

async function launchAgentrt(folder: string, clone: string, port: number, baseURL: string): Promise<Launch> {
  const name = `opencode-${process.platform}-${process.arch}`
  const found = createRequire(join(daemon, 'package.json')).resolve(`${name}/package.json`)
  const config = join(folder, '.config', 'opencode')
  await mkdir(join(config, 'node_modules'), { recursive: true })
  const lock = {
    lockfileVersion: 3,
    packages: { '': { dependencies: { '@opencode-ai/plugin': installedVersion('@opencode-ai/sdk') } } },
  }
  await writeFile(join(config, 'package-lock.json'), JSON.stringify(lock))
  await writeFile(join(folder, 'models.json'), '{}')
  const provider = {
    bench: {
      npm: '@ai-sdk/openai-compatible',
      options: { baseURL, apiKey: 'key' },
      models: { m: { name: 'm', tool_call: true, limit: { context: 128_000, output: 8192 } } },
    },
  }
  return {
    file: join(dirname(found), 'bin', 'opencode'),
    args: ['serve', '--port', `${port}`, '--hostname', '127.0.0.1'],
    env: {
      OPENCODE_CONFIG_CONTENT: JSON.stringify({ model: 'bench/m', small_model: 'bench/m', provider }),
      OPENCODE_MODELS_PATH: join(folder, 'models.json'),
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
    },
    folder,
    clone,
  }
}

type Bare = (folder: string, clone: string, url: string) => Promise<number>

/** Runtimes without the platform; one that is not here is measured without a peer. */
const bare: Readonly<Partial<Record<RuntimeName, Bare>>> = {
  agentrt: bareAgentrt,
  pi: barePi,
}

async function firstToken(origin: string): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const post = (path: string, body: object) =>
    fetch(`${origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const stop = new AbortController()
  const events = await fetch(`${origin}/event`, { headers, signal: stop.signal })
  const session: unknown = await (await post('/session', { title: 'bench' })).json()
  const id = typeof session === 'object' && session !== null && 'id' in session ? String(session.id) : ''
  const prompt = { parts: [{ type: 'text', text: 'hello' }], model: { providerID: 'bench', modelID: 'm' } }
  await post(`/session/${id}/prompt_async`, prompt)
  await readUntil(events, (words) => words.includes('message.part.delta'))
  stop.abort()
}
