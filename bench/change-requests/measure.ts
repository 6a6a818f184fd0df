import { spawn } from 'node:child_process'
import { once } from 'node:events'

export interface Summary {
  readonly runs: number
  readonly p50_ms: number
  readonly p95_ms: number
}

export interface Comparison {
  readonly ours: Summary
  readonly peer: Summary
  /** p50 of ours by p50 of the peer's. */
  readonly ratio: number
}

/** Ours and its peer take turns, so that whatever else the machine does meets both. */
export async function compare(
  runs: number,
  ours: (index: number) => Promise<unknown>,
  peer: (index: number) => Promise<unknown>,
): Promise<Comparison> {
  const times: { ours: number[]; peer: number[] } = { ours: [], peer: [] }
  for (let index = 0; index < runs; index += 1) {
    times.peer.push(await timed(() => peer(index)))
    times.ours.push(await timed(() => ours(index)))
  }
  const [own, other] = [summarise(times.ours), summarise(times.peer)]
  return { ours: own, peer: other, ratio: round(own.p50_ms / other.p50_ms) }
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

export function summarise(times: readonly number[]): Summary {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number) =>
    round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
  return { runs: sorted.length, p50_ms: at(0.5), p95_ms: at(0.95) }
}

const round = (value: number): number => Math.round(value * 100) / 100

/** git as a person would run it on the bare repository; gives its output. */
export async function git(
  git_dir: string,
  args: readonly string[],
  input?: string | Iterable<string>,
): Promise<string> {
  const child = spawn('git', args, { env: { ...process.env, GIT_DIR: git_dir, ...author }, stdio: 'pipe' })
  const chunks: Buffer[] = []
  const errors: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk))
  // A git that gives up early says why at its end.
  child.stdin.on('error', () => {})
  const closed = once(child, 'close')
  if (input !== undefined) {
    for (const part of typeof input === 'string' ? [input] : input) {
      if (child.exitCode !== null) break
      if (!child.stdin.write(part)) await Promise.race([once(child.stdin, 'drain').catch(() => {}), closed])
    }
  }
  child.stdin.end()
  const [code] = await closed
  if (code !== 0) throw new Error(`git ${args[0]}: ${Buffer.concat(errors).toString('utf8')}`)
  return Buffer.concat(chunks).toString('utf8').trim()
}

const author = {
  GIT_AUTHOR_NAME: 'Bench',
  GIT_AUTHOR_EMAIL: 'bench@svc.invalid',
  GIT_COMMITTER_NAME: 'Bench',
  GIT_COMMITTER_EMAIL: 'bench@svc.invalid',
}
