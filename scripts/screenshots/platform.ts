import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Client, createClient } from '@svc/sdk'
import { freePort } from '../free-port.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

export interface BuiltPlatform {
  readonly origin: string
  readonly token: string
  readonly client: Client
  readonly folder: string
  readonly pid: number | undefined
  close(): Promise<void>
}

/** The built platform of this checkout on free ports, in a folder that goes with it. */
export async function startBuilt(env: Readonly<Record<string, string>> = {}): Promise<BuiltPlatform> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-pictures-'))
  // Sandboxes run as users of their own, who have to walk through it.
  await chmod(folder, 0o755)
  await mkdir(join(folder, 'home'))
  const [port, internal, apps] = [await freePort(), await freePort(), await freePort()]
  const data_dir = join(folder, 'data')
  const child = spawn(process.execPath, [join(root, 'apps/standalone/dist/main.js')], {
    env: {
      PATH: process.env['PATH'],
      HOME: join(folder, 'home'),
      SVC_PORT: String(port),
      SVC_INTERNAL_PORT: String(internal),
      SVC_APPS_PORT: String(apps),
      SVC_DATA_DIR: data_dir,
      SVC_CONFIG_FILE: join(folder, 'config.json'),
      SVC_LOG_LEVEL: 'error',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  process.once('exit', () => child.kill('SIGTERM'))
  await printed(child, 'svc is ready at')
  const { api_url, token } = bootstrapOf(await readFile(join(data_dir, 'bootstrap.json'), 'utf8'))
  return {
    origin: `http://127.0.0.1:${port}`,
    token,
    client: createClient({ api_url, token }),
    folder,
    pid: child.pid,
    close: async () => {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

function bootstrapOf(text: string): { readonly api_url: string; readonly token: string } {
  const found: unknown = JSON.parse(text)
  if (typeof found !== 'object' || found === null || !('api_url' in found && 'token' in found))
    throw new Error('The platform wrote no bootstrap.json that names a token')
  return { api_url: String(found.api_url), token: String(found.token) }
}

async function printed(child: ChildProcess, text: string): Promise<void> {
  let words = ''
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      words += chunk.toString()
      if (words.includes(text)) resolve()
    })
    child.once('exit', () => reject(new Error(`The platform ended before it was ready: ${words}`)))
  })
}
