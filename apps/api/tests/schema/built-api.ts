import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtEntry } from '../../../standalone/tests/support/platform/apps.ts'

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

interface Started {
  readonly pid: number | undefined
  /** Resolves once it wrote this; throws when it ends before. */
  said(words: string): Promise<void>
  /** Asks it to end; its exit code. */
  end(): Promise<number | null>
}

export interface BuiltApi {
  /** Runs to its end. */
  run(...words: string[]): Promise<Ended>
  start(more: Readonly<Record<string, string>>): Started
  close(): Promise<void>
}

/** The API as it is deployed, on this database. */
export async function builtApi(connection_string: string): Promise<BuiltApi> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-built-api-'))
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: connection_string,
    SVC_PUBLIC_URL: 'http://127.0.0.1',
    SVC_REPOSITORIES_DIR: join(folder, 'repositories'),
    SVC_MIRRORS_DIR: join(folder, 'mirrors'),
    SVC_MASTER_KEY: randomBytes(32).toString('hex'),
    SVC_HOST: '127.0.0.1',
    SVC_PORT: '0',
    SVC_INTERNAL_PORT: '0',
    SVC_COMMIT: 'abc123',
    SVC_MACHINE: 'one',
  }
  const launch = (words: readonly string[], more: Readonly<Record<string, string>> = {}) => {
    const child = spawn(process.execPath, [builtEntry('api'), ...words], { env: { ...env, ...more } })
    const text = { out: '', err: '' }
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text.out += chunk))
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text.err += chunk))
    const closed = once(child, 'close').then(([code]: unknown[]) => (typeof code === 'number' ? code : null))
    return { child, text, closed }
  }
  const running: Pick<ReturnType<typeof launch>, 'child' | 'closed'>[] = []
  return {
    async run(...words) {
      const { text, closed } = launch(words)
      return { code: await closed, ...text }
    },
    start(more) {
      const { child, text, closed } = launch([], more)
      running.push({ child, closed })
      return {
        pid: child.pid,
        async said(words) {
          while (!text.out.includes(words)) {
            if (child.exitCode !== null)
              throw new Error(`It ended with ${child.exitCode}: ${text.out}${text.err}`)
            await Promise.race([once(child.stdout, 'data'), closed])
          }
        },
        async end() {
          child.kill('SIGTERM')
          return closed
        },
      }
    },
    async close() {
      for (const { child, closed } of running) {
        child.kill('SIGKILL')
        await closed
      }
      await rm(folder, { recursive: true, force: true })
    },
  }
}
