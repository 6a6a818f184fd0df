import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { build } from 'tsup'
import { daemonProgram } from '../../apps/daemon/tsup.config.ts'
import { processesWith } from '../../apps/daemon/tests/support/processes.ts'
import { runtimeFiles } from '../../apps/daemon/tests/support/runtime-files.ts'
import { makeSandbox, type Sandbox } from '../../apps/daemon/tests/support/sandbox.ts'
import { harnessRuntime } from '../../packages/facts/src/index.ts'
import { harnessVariable } from '../../packages/harness/src/index.ts'
import { machine } from '../machine.ts'
import { startBenchGateway } from './harness-gateway.ts'
import { type HarnessProgram, harnessProgram, ownAgent } from './harness-program.ts'
import { bareStartOf, openBareSession, type Turn, turnBehindDaemon } from './harness-sides.ts'
import { round, settle, summarise } from './measure.ts'

// Agents by the protocol behind the daemon, each beside the same agent before a client of a few lines, in one run.
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '30' },
    starts: { type: 'string', default: '5' },
    harness: { type: 'string', default: ownAgent },
    json: { type: 'string' },
  },
})
const [runs, starts] = [Number(values.runs), Number(values.starts)]
/** The quiet after an answer, in which late updates still belong to the turn. */
const quietMs = 150
const promises = { first_token_ms: 50, turn_ms: 15 + quietMs, ready_ratio: 1.2 }

const folder = await mkdtemp(join(tmpdir(), 'svc-bench-harnesses-'))
const daemonOut = join(folder, 'daemon')
await build({ ...daemonProgram({ outDir: daemonOut, sourcemap: false, silent: true }), config: false })
const gateway = await startBenchGateway()
let sandboxes = 0

async function startSandbox(program: HarnessProgram): Promise<{ sandbox: Sandbox; ready_ms: number }> {
  sandboxes += 1
  const sandbox = await makeSandbox({
    bundle: join(daemonOut, 'main.js'),
    ...{ programs: program.programs, binaries: program.binaries, runtime_name: harnessRuntime },
    environment: { [harnessVariable]: JSON.stringify(program.launch) },
    address: `127.41.2.${sandboxes}`,
  })
  sandbox.origin.commit('main', runtimeFiles(harnessRuntime))
  sandbox.origin.commit(sandbox.session_id, {}, 'main')
  const began = performance.now()
  sandbox.start(gateway.environment)
  await sandbox.ready()
  return { sandbox, ready_ms: performance.now() - began }
}

/** Resident memory of all processes whose environment names a folder, in megabytes. */
const residentMb = (home: string): number =>
  Math.round(
    processesWith(home).reduce((sum, pid) => {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      return sum + Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
    }, 0),
  )

async function measure(name: string) {
  const program = await harnessProgram(name, folder)
  const times = { ready: [] as number[], initialize: [] as number[], session: [] as number[] }
  const turns = { ours: [] as Turn[], bare: [] as Turn[] }
  // The first start of each side is not counted: it reads the program from the disk.
  for (let index = -1; index < starts; index += 1) {
    const isLast = index === starts - 1
    const { sandbox, ready_ms } = await startSandbox(program)
    try {
      const start = await bareStartOf(sandbox, program.word)
      const resident_mb = residentMb(sandbox.home)
      await settle()
      const bare = await openBareSession(start, program.launch)
      if (index >= 0) {
        times.ready.push(ready_ms)
        times.initialize.push(bare.initialize_ms)
        times.session.push(bare.session_ms)
      }
      // The first round is not counted.
      for (let round_ = -1; isLast && round_ < runs; round_ += 1) {
        const bareFirst = round_ % 2 === 0
        const before = bareFirst ? await bare.turn() : null
        const ours = await turnBehindDaemon(sandbox)
        const other = before ?? (await bare.turn())
        if (round_ >= 0) {
          turns.ours.push(ours)
          turns.bare.push(other)
        }
        await sleep(100)
      }
      await bare.close()
      await start.remove()
      if (isLast) return figuresOf(program, times, turns, resident_mb)
    } finally {
      await sandbox.close()
    }
    await settle()
  }
  throw new Error('At least one start is measured')
}

function figuresOf(
  { install, launch }: HarnessProgram,
  times: Readonly<Record<'ready' | 'initialize' | 'session', readonly number[]>>,
  turns: Readonly<Record<'ours' | 'bare', readonly Turn[]>>,
  resident_mb: number,
) {
  const both = (name: keyof Turn) => ({
    ours: summarise(turns.ours.map((one) => one[name])),
    limit: summarise(turns.bare.map((one) => one[name])),
  })
  const ready = { ours: summarise(times.ready), limit: summarise(times.session) }
  const [first_token, turn] = [both('first_token'), both('turn')]
  const added = {
    first_token_ms: round(first_token.ours.p50_ms - first_token.limit.p50_ms),
    turn_ms: round(turn.ours.p50_ms - turn.limit.p50_ms),
    ready_ratio: round(ready.ours.p50_ms / ready.limit.p50_ms),
  }
  // A program of the repository cannot start before that is there.
  const promised = launch.of_repository
    ? (['first_token_ms', 'turn_ms'] as const)
    : (['first_token_ms', 'turn_ms', 'ready_ratio'] as const)
  return {
    ...{
      install,
      ready,
      bare_initialize: summarise(times.initialize),
      first_token,
      turn,
      resident_mb,
      added,
    },
    missed: promised.filter((name) => added[name] > promises[name]),
  }
}

try {
  const harnesses: Record<string, Awaited<ReturnType<typeof measure>>> = {}
  for (const name of values.harness.split(',')) harnesses[name] = await measure(name)
  const report = { machine: machine(), promises, harnesses }
  console.log(JSON.stringify(report, null, 2))
  if (values.json !== undefined) await writeFile(values.json, JSON.stringify(report, null, 2))
  process.exitCode = Object.values(harnesses).some(({ missed }) => missed.length > 0) ? 1 : 0
} finally {
  await gateway.close()
  await rm(folder, { recursive: true, force: true })
}
