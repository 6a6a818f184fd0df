import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { type Api, type Case, measureAll } from './cases.ts'
import { measureFlatList } from './flat-list.ts'
import { git } from './git.ts'
import { measureOrigin } from './origin.ts'
import { type PeerServer, startPeerServer } from './peer-server.ts'

/** See README.md. */
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
    only: { type: 'string' },
  },
})
/** `engine`, `list` or `origin`; all of them when nothing is named. */
const asked = (part: string) => values.only === undefined || values.only === part
const plan = values.quick
  ? {
      shapes: [{ files: 500, commits: 10 }],
      runs: { previews: 10, diffs: 5, lists: 10, creates: 5, merges: 5 },
      flat: { many: 100, runs: 10 },
      clones: [{ files: 500, commits: 10, runs: { clones: 3, fetches: 3 } }],
    }
  : {
      shapes: [
        { files: 500, commits: 10 },
        { files: 20_000, commits: 1_000 },
        { files: 100_000, commits: 10_000 },
      ],
      runs: { previews: 100, diffs: 25, lists: 60, creates: 40, merges: 40 },
      flat: { many: 1_000, runs: 60 },
      clones: [
        { files: 20_000, commits: 1_000, runs: { clones: 15, fetches: 20 } },
        { files: 100_000, commits: 10_000, runs: { clones: 5, fetches: 20 } },
      ],
    }

const Ready = z.object({ origin: z.url(), token: z.string() })
const Provisioned = z.object({ project_id: z.uuid() })

// The server follows when this process has gone, the peer is ended on the way out.
process.once('SIGTERM', () => process.exit(1))
const began = performance.now()
if (asked('origin')) {
  execFileSync(fileURLToPath(new URL('./install-peer.sh', import.meta.url)), { stdio: 'inherit' })
}
const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'))
await chmod(folder, 0o755)
const repositories = join(folder, 'managed')
const server = fork(fileURLToPath(new URL('./server.ts', import.meta.url)), [folder], {
  execArgv: ['--import', import.meta.resolve('tsx')],
})
let peer: PeerServer | undefined
const results: { files: number; commits: number; cases: Case[] }[] = []
try {
  const [message] = await once(server, 'message')
  const { origin, token } = Ready.parse(message)
  const api = connect(origin, token)
  const provision = async (name: string) => {
    const made = await api.call('POST', '/v1/projects/provision', { name, seed_starter: false })
    const { project_id } = Provisioned.parse(made)
    return { project_id, git_dir: join(repositories, `${project_id}.git`) }
  }
  for (const shape of asked('engine') ? plan.shapes : []) {
    const project = await provision(`${shape.files} files`)
    report(shape, await measureAll(api, project, shape, plan.runs))
  }
  if (asked('list')) {
    const projects = { few: await provision('few'), many: await provision('many') }
    report({ files: 500, commits: 10 }, [await measureFlatList(api, projects, plan.flat)])
  }
  if (asked('origin')) {
    peer = await startPeerServer(join(folder, 'apache'), repositories)
    for (const { runs, ...shape } of plan.clones) {
      const { project_id, git_dir } = await provision(`clone of ${shape.files} files`)
      const clones = join(folder, `clones-${shape.files}`)
      await mkdir(clones)
      const urls = { ours: `${origin}/v1/git/${project_id}.git`, peer: `${peer.origin}/${project_id}.git` }
      report(shape, await measureOrigin({ ...urls, token, git_dir, folder: clones }, shape, runs))
      await rm(clones, { recursive: true })
    }
  }
  const machine = {
    cpus: cpus().length,
    model: cpus()[0]?.model ?? '',
    load_average: loadavg()[0] ?? 0,
    node: process.version,
    git: await git('.', ['--version']),
    peer_server: peer?.version ?? null,
  }
  const seconds = Math.round((performance.now() - began) / 1000)
  const measured_at = new Date().toISOString()
  const whole = !values.quick && values.only === undefined
  const json = values.json ?? (whole ? join(import.meta.dirname, 'result.json') : undefined)
  const result = { bench: 'change-requests', measured_at, quick: values.quick, seconds, machine, results }
  if (json !== undefined) {
    await mkdir(dirname(json), { recursive: true })
    await writeFile(json, `${JSON.stringify(result, null, 2)}\n`)
  }
  const missed = results.flatMap(({ cases }) => cases).filter(({ held }) => !held)
  console.info(`\n${missed.length === 0 ? 'Every promise held' : `${missed.length} missed`}; ${seconds} s`)
  if (missed.length > 0) process.exitCode = 1
} catch (error) {
  console.error(error)
  process.exitCode = 1
} finally {
  await peer?.close()
  if (server.connected) server.send('close')
  if (server.exitCode === null) await once(server, 'exit')
  await rm(folder, { recursive: true, force: true })
}

function connect(origin: string, token: string): Api {
  return {
    async call(method, path, body) {
      const response = await fetch(`${origin}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
      return JSON.parse(text)
    },
  }
}

function report(shape: { files: number; commits: number }, cases: Case[]): void {
  results.push({ ...shape, cases })
  console.info(`\n${shape.files} files, ${shape.commits} commits`)
  for (const { name, peer: beside, result, promise, held } of cases) {
    const { ours, peer: other, ratio } = result
    const verdict = promise === null ? 'nothing promised' : `${promise}: ${held ? 'held' : 'MISSED'}`
    console.info(
      `  ${name.padEnd(22)} p50 ${ours.p50_ms} ms, p95 ${ours.p95_ms} ms | ${beside}: p50 ${other.p50_ms} ms, ` +
        `p95 ${other.p95_ms} ms | ${ratio}x | ${verdict}`,
    )
  }
}
