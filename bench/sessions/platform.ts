import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { RuntimeName } from '@svc/facts'
import { z } from 'zod'
import { freePort } from '../../scripts/free-port.ts'
import { startModel } from './model.ts'
import { dockerSandboxes, podSandboxes, processSandboxes, type Sandboxes } from './sandboxes.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const Bootstrap = z.object({ api_url: z.string(), token: z.string() })

export interface BenchPlatform {
  readonly origin: string
  readonly token: string
  /** Below `/v1`; an answer that is no success is an error. */
  call(method: string, path: string, body?: object): Promise<unknown>
  readonly repositories: string
  /** Resolves once a sandbox of the pool waits for its session. */
  awaitWarm(): Promise<void>
  readonly sandboxes: Sandboxes
  close(): Promise<void>
}

/** Every service as `npm start` runs them, with its own database, in a process and a folder of its own. */
export async function startPlatform(
  provider: string,
  warm: RuntimeName | null,
  onLog: ((line: string) => void) | null = null,
): Promise<BenchPlatform> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'))
  // Sandboxes run as users of their own, who have to walk through it.
  await chmod(folder, 0o755)
  await mkdir(join(folder, 'home'))
  const [port, internal, apps] = [await freePort(), await freePort(), await freePort()]
  const data_dir = join(folder, 'data')
  const { sandboxes, address, env } = await placeOf(provider, data_dir)
  const model = await startModel()
  const child = spawn(
    process.execPath,
    ['--import', import.meta.resolve('tsx'), join(root, 'apps/standalone/src/main.ts')],
    {
      env: {
        PATH: process.env['PATH'],
        HOME: join(folder, 'home'),
        SVC_PORT: String(port),
        SVC_HOST: address,
        SVC_PUBLIC_URL: `http://${address}:${port}`,
        SVC_INTERNAL_PORT: String(internal),
        SVC_APPS_PORT: String(apps),
        SVC_DATA_DIR: data_dir,
        SVC_CONFIG_FILE: join(folder, 'config.json'),
        SVC_SANDBOX_PROVIDER: provider,
        SVC_MODEL_BASE_URL: model.url,
        SVC_MODEL: 'bench',
        SVC_SESSION_CAP: '1000',
        SVC_WARM_POOL_SIZE: warm === null ? '0' : '1',
        ...(warm === null ? {} : { SVC_WARM_POOL_RUNTIME: warm }),
        ...env,
        SVC_LOG_LEVEL: onLog === null ? 'error' : 'debug',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  // A bench that is cut short leaves no platform behind.
  process.once('exit', () => child.kill('SIGTERM'))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  if (onLog !== null) createInterface({ input: child.stdout }).on('line', onLog)
  await printed(child, 'svc is ready at')
  const { api_url, token } = Bootstrap.parse(
    JSON.parse(await readFile(join(data_dir, 'bootstrap.json'), 'utf8')),
  )
  return {
    origin: `http://${address}:${port}`,
    token,
    call: async (method, path, body) => {
      const response = await fetch(`${api_url}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
      return text === '' ? null : JSON.parse(text)
    },
    repositories: join(data_dir, 'repositories'),
    awaitWarm: async () => {
      while (!(await sandboxes.outputs()).some(isWaiting)) await sleep(100)
    },
    sandboxes,
    close: async () => {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
      await model.close()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

const isThrough = /a standby runtime (is|was not) prewarmed/

/** A daemon says that its runtime is prewarmed, or cannot be, and later that it listens for its session. */
function isWaiting(words: string): boolean {
  return isThrough.test(words) && !words.includes('svc-agent listens')
}

interface Place {
  readonly sandboxes: Sandboxes
  /** The address at which sandboxes reach the platform. */
  readonly address: string
  readonly env: Readonly<Record<string, string>>
}

/** A provider's sandboxes, and what a platform is told to make them. */
async function placeOf(provider: string, data_dir: string): Promise<Place> {
  const address = '127.0.0.1'
  if (provider === 'docker') {
    const { SVC_DOCKER_HOST = 'unix:///var/run/docker.sock', SVC_DOCKER_IMAGE } = process.env
    const image = SVC_DOCKER_IMAGE === undefined ? {} : { SVC_DOCKER_IMAGE }
    return { sandboxes: dockerSandboxes(SVC_DOCKER_HOST), address, env: { SVC_DOCKER_HOST, ...image } }
  }
  if (provider !== 'kubernetes')
    return { sandboxes: processSandboxes(join(data_dir, 'sandboxes')), address, env: {} }
  // Its client is large: only who asks for it loads it.
  const { readCluster } = await import('@svc/sandbox/testing/cluster')
  const cluster = readCluster()
  if (cluster === null)
    throw new Error('There is no cluster: npm run test:kubernetes -- --exec <this command>')
  const { host_address, kubeconfig, complete_image } = cluster
  return {
    sandboxes: podSandboxes(cluster),
    address: host_address,
    env: {
      SVC_DEPLOYMENT: 'bench',
      SVC_KUBERNETES_KUBECONFIG: kubeconfig,
      SVC_KUBERNETES_IMAGE: complete_image,
      SVC_KUBERNETES_PLATFORM: `${host_address}/32`,
      SVC_KUBERNETES_MEMORY_MB: '2048',
    },
  }
}

/** Returns once the process printed the text; an early end is an error with its words. */
export async function printed(child: ChildProcess, text: string): Promise<void> {
  let words = ''
  await new Promise<void>((resolve, reject) => {
    const onOutput = (chunk: Buffer): void => {
      words += chunk.toString()
      if (words.includes(text)) resolve()
    }
    child.stdout?.on('data', onOutput)
    child.stderr?.on('data', onOutput)
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`It ended before it printed ${text}: ${words}`)))
  })
}
