import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { git } from '../change-requests/git.ts'
import { startChild, stopChild } from '../child.ts'

export interface HealthBeside {
  readonly rounds: number
  readonly previews_at_once: number
  readonly bytes: number
  /** of GET /v1/health, while previews of harmless manifests are answered */
  readonly quiet: Latency
  /** the same beside previews of manifests that are made to be slow */
  readonly hostile: Latency
  readonly p99_ratio: number
  readonly p99_added_ms: number
}

interface Latency {
  readonly requests: number
  readonly p50_ms: number
  readonly p99_ms: number
}

const atOnce = 8
const harmless = 'svc_version: 2\ndefault_agent: a\nagents: { a: {} }\n'
const hostile = `svc_version: 2\n${Array.from({ length: 60_000 }, (_, index) => `k${index}: 1\n`).join('')}`

/** The API's answers to others while a session has it preview eight manifests at once, each a commit of its own. */
export async function healthBeside(rounds: number): Promise<HealthBeside> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'))
  await chmod(folder, 0o755)
  const server = startChild(new URL('../change-requests/server.ts', import.meta.url), [folder])
  try {
    const [message] = await once(server, 'message')
    const { origin, token } = z.object({ origin: z.url(), token: z.string() }).parse(message)
    const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
      const response = await fetch(`${origin}/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
      return response.json()
    }
    const made = await call('POST', '/projects/provision', { name: 'Health', seed_starter: false })
    const { project_id } = z.object({ project_id: z.uuid() }).parse(made)
    const git_dir = join(folder, 'managed', `${project_id}.git`)
    await git(git_dir, ['fast-import', '--quiet'], branches(rounds))
    const path = `/projects/${project_id}/change-requests`
    const open = async (head_ref: string) =>
      z
        .object({ cr_id: z.uuid() })
        .parse(await call('POST', path, { title: head_ref, head_ref, base_ref: 'main' })).cr_id
    const times = { quiet: new Array<number>(), hostile: new Array<number>() }
    for (let round = 0; round < rounds; round += 1) {
      for (const kind of ['quiet', 'hostile'] as const) {
        const ids: string[] = []
        for (let one = 0; one < atOnce; one += 1) ids.push(await open(`${kind}-${round}-${one}`))
        const previews = Promise.all(ids.map((id) => call('GET', `${path}/${id}/merge-preview`)))
        times[kind].push(...(await askedDuring(previews, () => fetch(`${origin}/v1/health`))))
      }
    }
    const [quiet, slow] = [latency(times.quiet), latency(times.hostile)]
    return {
      ...{ rounds, previews_at_once: atOnce, bytes: hostile.length, quiet, hostile: slow },
      p99_ratio: slow.p99_ms / quiet.p99_ms,
      p99_added_ms: slow.p99_ms - quiet.p99_ms,
    }
  } finally {
    await stopChild(server)
    await rm(folder, { recursive: true, force: true })
  }
}

/** At least twenty requests, one after another. */
async function askedDuring(work: Promise<unknown>, ask: () => Promise<Response>): Promise<number[]> {
  let ended = false
  const end = work.finally(() => (ended = true))
  const times: number[] = []
  while (!ended || times.length < 20) {
    const start = performance.now()
    await (await ask()).text()
    times.push(performance.now() - start)
    await setTimeout(2)
  }
  await end
  return times
}

function latency(times: readonly number[]): Latency {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { requests: sorted.length, p50_ms: at(0.5), p99_ms: at(0.99) }
}

function* branches(rounds: number): Generator<string> {
  const commit = (branch: string, text: string, from = '') =>
    `commit refs/heads/${branch}\ncommitter Bench <bench@svc.invalid> 1700000000 +0000\ndata 4\nWork\n${from}` +
    `M 100644 inline svc.yaml\ndata ${text.length}\n${text}\n`
  yield commit('main', harmless)
  for (let round = 0; round < rounds; round += 1) {
    for (let one = 0; one < atOnce; one += 1) {
      const mark = `# ${round}-${one}\n`
      yield commit(`quiet-${round}-${one}`, harmless + mark, 'from refs/heads/main\n')
      yield commit(`hostile-${round}-${one}`, hostile + mark, 'from refs/heads/main\n')
    }
  }
  yield 'done\n'
}
