import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run, timed } from './measure.ts'
import { startModel } from './model.ts'
import { freePort, printed } from './platform.ts'

const daemon = fileURLToPath(new URL('../../apps/daemon', import.meta.url))

/** What the peers leave: it is removed when nothing is measured, since a deletion keeps a disk busy after its end. */
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

/** The program of pi as it is now: a build that goes on beside the bench replaces it for a moment. */
export async function copyPi(): Promise<{ folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-pi-'))
  await cp(join(daemon, 'dist/pi'), folder, { recursive: true })
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

/**
 * The runtime alone in a clone that is there, from its start to the first piece of an answer of a model on this machine.
 */
export async function bareRuntime(runtime: 'agentrt' | 'pi', pi: string, clone: string): Promise<number> {
  const folder = await newFolder('runtime')
  const model = await startModel()
  const port = await freePort()
  const launch =
    runtime === 'pi'
      ? await launchPi(pi, folder, clone, port, model.url)
      : await launchAgentrt(folder, port, model.url)
  try {
    const child = spawn(launch.file, launch.args, {
      cwd: clone,
      env: { PATH: process.env['PATH'], HOME: folder, SVC_LLM_API_KEY: 'key', ...launch.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const ms = await timed(async () => {
      await printed(child, 'listening on')
      await firstToken(`http://127.0.0.1:${port}`, launch.authorization)
    })
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
    return ms
  } finally {
    await model.close()
  }
}

interface Launch {
  readonly file: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly authorization: string
}

async function launchAgentrt(folder: string, port: number, baseURL: string): Promise<Launch> {
  const name = `opencode-${process.platform}-${process.arch}`
  const found = createRequire(join(daemon, 'package.json')).resolve(`${name}/package.json`)
  const config = join(folder, '.config', 'opencode')
  await mkdir(join(config, 'node_modules'), { recursive: true })
  const lock = {
    lockfileVersion: 3,
    packages: { '': { dependencies: { '@opencode-ai/plugin': '1.18.33' } } },
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
    authorization: '',
  }
}

async function launchPi(
  program: string,
  folder: string,
  clone: string,
  port: number,
  base_url: string,
): Promise<Launch> {
  const authorization = 'Bearer bench'
  const settings = {
    host: '127.0.0.1',
    port,
    authorization,
    workspace: clone,
    config_dir: join(clone, '.svc/agentrt'),
    agent_dir: join(folder, 'pi'),
    // It waits for nothing.
    arrival: folder,
    instructions: '',
    gateway: {
      provider: 'bench',
      base_url,
      key_variable: 'SVC_LLM_API_KEY',
      models: [{ id: 'm', context: 128_000, output: 8192 }],
    },
    skills: null,
  }
  const env = { SVC_PI_SETTINGS: JSON.stringify(settings) }
  return { file: process.execPath, args: [join(program, 'main.js')], env, authorization }
}

async function firstToken(origin: string, authorization: string): Promise<void> {
  const headers = { 'content-type': 'application/json', ...(authorization === '' ? {} : { authorization }) }
  const post = (path: string, body: object) =>
    fetch(`${origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const stop = new AbortController()
  const events = await fetch(`${origin}/event`, { headers, signal: stop.signal })
  const session: unknown = await (await post('/session', { title: 'bench' })).json()
  const id = typeof session === 'object' && session !== null && 'id' in session ? String(session.id) : ''
  const prompt = { parts: [{ type: 'text', text: 'hello' }], model: { providerID: 'bench', modelID: 'm' } }
  await post(`/session/${id}/prompt_async`, prompt)
  let words = ''
  const decoder = new TextDecoder()
  for await (const chunk of events.body ?? []) {
    words += decoder.decode(chunk, { stream: true })
    if (words.includes('message.part.delta')) break
  }
  stop.abort()
}
