import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Summary {
  readonly runs: number
  readonly p50_ms: number
  readonly p95_ms: number
}

/** Time for the one before to end, on both sides: each is measured on a machine that does nothing else. */
export const settle = (): Promise<void> => sleep(1_000)

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Reads an answer as it comes, and returns with the piece that makes it enough. */
export async function readUntil(response: Response, isEnough: (words: string) => boolean): Promise<void> {
  const reader = response.body?.getReader()
  let words = ''
  const decoder = new TextDecoder()
  while (!isEnough(words)) {
    const { done, value } = (await reader?.read()) ?? { done: true }
    if (done) throw new Error(`It ends before: ${words}`)
    words += decoder.decode(value, { stream: true })
  }
  // Not awaited: it would wait for the next piece.
  reader?.cancel().catch(() => undefined)
}

export function summarise(times: readonly number[]): Summary {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number) =>
    round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
  return { runs: sorted.length, p50_ms: at(0.5), p95_ms: at(0.95) }
}

export const round = (value: number): number => Math.round(value * 100) / 100

/** As little as a sandbox has: what a person's shell sets can slow the start of a program, such as NODE_EXTRA_CA_CERTS. */
const env = { PATH: process.env['PATH'], HOME: process.env['HOME'] }

/** Gives its output; a failure is an error with its words. */
export async function run(file: string, args: readonly string[], input = ''): Promise<string> {
  const child = spawn(file, args, { stdio: 'pipe', env })
  const [said, words]: [Buffer[], Buffer[]] = [[], []]
  child.stdout.on('data', (chunk: Buffer) => said.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => words.push(chunk))
  // A program that gives up early says why at its end.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${file} ${args.join(' ')}: ${Buffer.concat(words).toString()}`)
  return Buffer.concat(said).toString().trim()
}
