import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { sealCodeCache } from '../src/shared/code-cache.ts'

/** The program that is recorded. */
export interface RecordedProgram {
  readonly stdin: Writable
  /** The first line that holds the words, once it was printed. */
  said(words: string): Promise<string>
}

const timeoutMs = 120_000
const keepScripts = new URL('./keep-scripts.mjs', import.meta.url).href

/**
 * Starts the built program in `folder`, has it do what `act` waits for, and lays beside each of its files what V8 had
 * compiled by then. The same build gives the same bytes.
 */
export async function recordCache(
  folder: string,
  env: (home: string) => Record<string, string>,
  act: (program: RecordedProgram) => Promise<void>,
): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'svc-code-cache-'))
  const made = join(home, 'code-cache')
  mkdirSync(made)
  // The seed is the one flag that V8 does not compare, and makes the data the same each time.
  const args = ['--random-seed=1', '--import', keepScripts, join(folder, 'main.js')]
  const child = spawn(process.execPath, args, {
    cwd: home,
    env: { PATH: process.env['PATH'] ?? '', HOME: home, CODE_CACHE_FOLDER: made, ...env(home) },
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  })
  const ended = once(child, 'exit')
  try {
    const output = listen(child)
    const early = ended.then(([code, signal]) => {
      throw new Error(
        `${folder}/main.js ended (${code ?? signal}) before its cache was made: ${output.text()}`,
      )
    })
    await Promise.race([act({ stdin: child.stdin, said: output.said }), early])
    child.kill('SIGUSR2')
    const [code, signal] = await ended
    if (code !== 0)
      throw new Error(`${folder}/main.js gave no code cache (${code ?? signal}): ${output.text()}`)
    for (const name of readdirSync(made)) {
      const file = join(folder, name)
      writeFileSync(`${file}.cache`, sealCodeCache(readFileSync(file), readFileSync(join(made, name))))
    }
  } finally {
    child.kill('SIGKILL')
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

function listen({ stdout, stderr }: ChildProcessByStdio<Writable, Readable, Readable>) {
  let text = ''
  const asks: (() => void)[] = []
  for (const stream of [stdout, stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      for (const ask of asks) ask()
    })
  const said = (words: string): Promise<string> =>
    new Promise((resolve) => {
      const ask = (): void => {
        const line = text
          .split('\n')
          .slice(0, -1)
          .find((known) => known.includes(words))
        if (line !== undefined) resolve(line)
      }
      asks.push(ask)
      ask()
    })
  return { said, text: () => text }
}
