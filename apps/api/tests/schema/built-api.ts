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
  /** The fields of its line with this message, once it wrote it; throws when it ends before. */
  line(msg: string): Promise<Readonly<Record<string, unknown>>>
  /** Resolves once it wrote this; throws when it ends before. */
  said(words: string): Promise<void>
  signal(name: NodeJS.Signals): void
  /** Its exit code once it has ended; null where a signal ended it. */
  readonly ended: Promise<number | null>
  /** Asks it to end; its exit code. */
  end(): Promise<number | null>
}

export interface BuiltApi {
  /** For files of the test; it goes with `close`. */
  readonly folder: string
  /** Runs to its end. */
  run(words: readonly string[], more?: Readonly<Record<string, string>>): Promise<Ended>
  start(more: Readonly<Record<string, string>>, app?: string): Started
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
  const launch = (words: readonly string[], more: Readonly<Record<string, string>> = {}, app = 'api') => {
    const child = spawn(process.execPath, [builtEntry(app), ...words], { env: { ...env, ...more } })
    const text = { out: '', err: '' }
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text.out += chunk))
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text.err += chunk))
    const closed = once(child, 'close').then(([code]: unknown[]) => (typeof code === 'number' ? code : null))
    return { child, text, closed }
  }
  const running: Pick<ReturnType<typeof launch>, 'child' | 'closed'>[] = []
  return {
    folder,
    async run(words, more) {
      const { text, closed } = launch(words, more)
      return { code: await closed, ...text }
    },
    start(more, app) {
      const { child, text, closed } = launch([], more, app)
      running.push({ child, closed })
      const said = async (words: string) => {
        while (!text.out.includes(words)) {
          if (child.exitCode !== null)
            throw new Error(`It ended with ${child.exitCode}: ${text.out}${text.err}`)
          await Promise.race([once(child.stdout, 'data'), closed])
        }
      }
      return {
        pid: child.pid,
        said,
        async line(msg) {
          const words = `"msg":"${msg}"}\n`
          await said(words)
          return JSON.parse(
            text.out
              .slice(0, text.out.indexOf(words) + words.length)
              .split('\n')
              .at(-2) ?? '',
          )
        },
        signal: (name) => void child.kill(name),
        ended: closed,
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
