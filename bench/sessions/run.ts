import { mkdir, writeFile } from 'node:fs/promises'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type RuntimeName, runtimeNames } from '@svc/facts'
import { z } from 'zod'
import { generate, type Shape } from './generate.ts'
import { round, run, settle, type Summary, summarise } from './measure.ts'
import { bareRuntime, clean, cloneAndNode, updateRef } from './peers.ts'
import { type BenchPlatform, startPlatform } from './platform.ts'
import { liveOnce, type SessionTimes } from './session.ts'

/**
 * Sessions from create to resume over the whole platform, beside `git clone` with a Node start and the bare runtime in
 * the same run: `npx tsx bench/sessions/run.ts [--quick] [--runs <n>] [--runtime <name>] [--provider <name>]
 * [--files <n>] [--warm] [--json <file>]`. `--warm` lets a sandbox wait before each session.
 */
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    runs: { type: 'string', default: '10' },
    runtime: { type: 'string' },
    provider: { type: 'string', default: 'auto' },
    files: { type: 'string' },
    warm: { type: 'boolean' },
    json: { type: 'string' },
  },
})
const runs = values.quick ? 3 : Number(values.runs)
const shapes: readonly Shape[] = [
  { files: 500, commits: 10 },
  { files: 20_000, commits: 1_000 },
].filter(({ files }) =>
  values.files === undefined ? !values.quick || files === 500 : `${files}` === values.files,
)
const runtimes = runtimeNames.filter((name) => (values.runtime ?? name) === name)

interface Row {
  readonly what: keyof SessionTimes
  readonly ours: Summary
  readonly peer: string | null
  readonly theirs: Summary | null
  readonly ratio: number | null
  readonly promise: string | null
  readonly held: boolean | null
}

const Provisioned = z.object({ project_id: z.string() })

async function makeProject(platform: BenchPlatform, shape: Shape, runtime: string) {
  const body = { name: `${shape.files} files on ${runtime}`, seed_starter: false }
  const { project_id } = Provisioned.parse(await platform.call('POST', '/projects/provision', body))
  const bare = join(platform.repositories, `${project_id}.git`)
  await generate(bare, shape, runtime)
  return { project_id, bare, url: `${platform.origin}/v1/git/${project_id}.git` }
}

async function measure(platform: BenchPlatform, shape: Shape, runtime: RuntimeName) {
  const { project_id, bare, url } = await makeProject(platform, shape, runtime)
  const peers = { ref: new Array<number>(), clone: new Array<number>(), runtime: new Array<number>() }
  const ours: SessionTimes[] = []
  // The first round fills caches on both sides and is not counted.
  for (let round = 0; round <= runs; round += 1) {
    await settle()
    const ref = await updateRef(bare)
    const { ms, clone } = await cloneAndNode(url, platform.token)
    await settle()
    const theirs = { ref, clone: ms, runtime: await bareRuntime(runtime, clone) }
    if (values.warm) await platform.awaitWarm()
    await settle()
    const times = await liveOnce(platform, project_id)
    process.stderr.write(round === 0 ? `${shape.files} files on ${runtime} ` : round === runs ? '.\n' : '.')
    if (round === 0) continue
    ours.push(times)
    for (const key of ['ref', 'clone', 'runtime'] as const) peers[key].push(...[theirs[key] ?? []].flat())
  }
  const row = (
    what: keyof SessionTimes,
    peer: string | null,
    theirs: readonly number[] | null,
    promise: string | null,
    holds: (ours: Summary, ratio: number) => boolean,
  ): Row => {
    const own = summarise(ours.map((times) => times[what]))
    const other = theirs === null || theirs.length === 0 ? null : summarise(theirs)
    const ratio = other && round(own.p50_ms / other.p50_ms)
    return {
      what,
      ours: own,
      peer,
      theirs: other,
      ratio,
      promise,
      held: promise === null || (peer !== null && ratio === null) ? null : holds(own, ratio ?? 0),
    }
  }
  return [
    row('created', 'git update-ref', peers.ref, 'p95 <= 100 ms', (own) => own.p95_ms <= 100),
    row('checked_out', 'git clone + node', peers.clone, 'p50 <= 1.5x', (_, ratio) => ratio <= 1.5),
    values.warm
      ? row('first_token', 'bare runtime', peers.runtime, 'p50 <= 300 ms', (own) => own.p50_ms <= 300)
      : row('first_token', 'bare runtime', peers.runtime, 'p50 <= 1.2x', (_, ratio) => ratio <= 1.2),
    row('stopped', null, null, null, () => true),
    row('resumed', null, null, null, () => true),
  ]
}

const results: { files: number; commits: number; runtime: string; rows: Row[] }[] = []
try {
  for (const runtime of runtimes) {
    const platform = await startPlatform(values.provider, values.warm ? runtime : null)
    for (const shape of shapes) {
      const rows = await measure(platform, shape, runtime).catch(async (error: unknown) => {
        await platform.close()
        throw error
      })
      await clean()
      results.push({ ...shape, runtime, rows })
      console.info(`\n${shape.files} files, ${shape.commits} commits, ${runtime}, ${runs} sessions`)
      for (const { what, ours, peer, theirs, ratio, promise, held } of rows) {
        const own = `  ${what.padEnd(12)} p50 ${ours.p50_ms} ms, p95 ${ours.p95_ms} ms`
        const other = theirs ? ` | ${peer}: p50 ${theirs.p50_ms} ms | ${ratio}x` : ''
        console.info(own + other + (promise ? ` | ${promise}: ${held ? 'held' : 'MISSED'}` : ''))
      }
    }
    await platform.close()
  }
} catch (error) {
  console.error(error)
  process.exitCode = 1
} finally {
  await clean()
}

const machine = {
  cpus: cpus().length,
  model: cpus()[0]?.model ?? '',
  node: process.version,
  git: await run('git', ['--version']),
  load_average: loadavg()[0],
}
const report = {
  bench: 'sessions',
  measured_at: new Date().toISOString(),
  provider: values.provider,
  warm: values.warm ?? false,
  machine,
  results,
}
const json = JSON.stringify(report, null, 2)
if (values.json) {
  await mkdir(join(values.json, '..'), { recursive: true })
  await writeFile(values.json, `${json}\n`)
} else console.info(`\n${json}`)
if (results.some(({ rows }) => rows.some(({ held }) => held === false))) process.exitCode = 1
