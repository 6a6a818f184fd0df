import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'tsup'
import { daemonProgram } from '../../apps/daemon/tsup.config.ts'
import { runtimeFiles } from '../../apps/daemon/tests/support/runtime-files.ts'
import { makeSandbox, type Sandbox } from '../../apps/daemon/tests/support/sandbox.ts'
import { harnessRuntime } from '../../packages/facts/src/index.ts'
import { harnessLaunch, harnessVariable } from '../../packages/harness/src/index.ts'
import { runBench } from '../report.ts'
import { startBareAgent } from './bare-acp.ts'
import { round, settle } from './measure.ts'
import { turn } from './updates-turn.ts'

// The updates of one agent through the daemon to a client of its event stream, beside a client of a few lines in front of the same agent.
const promised = { p99_ms: 150, updates_a_second: 20_000 }
const agent = new URL('./updates-agent.mjs', import.meta.url).pathname

await runBench('updates', async ({ quick }) => {
  const plan = quick ? { paced: 150, flood: 40_000, rounds: 2 } : { paced: 1_000, flood: 200_000, rounds: 3 }
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-updates-'))
  const sandbox = await startSandbox(folder)
  try {
    await turn(sandbox, '10 1')
    await settle()
    const delays = (await turn(sandbox, `${plan.paced} 20`)).delays.toSorted((a, b) => a - b)
    const p = (share: number) => round(delays[Math.floor((delays.length - 1) * share)] ?? Infinity)
    const rates = { ours: 0, bare: 0 }
    for (let n = 0; n < plan.rounds; n += 1) {
      await settle()
      rates.bare = Math.max(rates.bare, await bareRate(folder, plan.flood))
      await settle()
      const { ms } = await turn(sandbox, `${plan.flood} 0`)
      rates.ours = Math.max(rates.ours, (plan.flood / ms) * 1000)
    }
    const [ours, bare] = [Math.round(rates.ours), Math.round(rates.bare)]
    return {
      figures: {
        delay: { pieces: delays.length, p50_ms: p(0.5), p99_ms: p(0.99) },
        updates_a_second: { ours, bare, ratio: round(ours / bare) },
      },
      verdicts: [
        {
          what: 'a piece of an answer, from the agent to a client of the stream',
          promise: `p99 <= ${promised.p99_ms} ms`,
          measured: `p50 ${p(0.5)} ms, p99 ${p(0.99)} ms`,
          held: delays.length === plan.paced && p(0.99) <= promised.p99_ms,
        },
        {
          what: 'updates a second through one daemon',
          promise: `>= ${promised.updates_a_second}`,
          measured: `${ours}, ${round(ours / bare)}x of a bare client's ${bare}`,
          held: ours >= promised.updates_a_second,
        },
      ],
    }
  } finally {
    await sandbox.close()
    await rm(folder, { recursive: true, force: true })
  }
})

async function startSandbox(folder: string): Promise<Sandbox> {
  const outDir = join(folder, 'daemon')
  await build({ ...daemonProgram({ outDir, sourcemap: false, silent: true }), config: false })
  const settings = {
    ...{ command: ['updates-agent'], dialect: 'none' as const, env: {}, model_env: [] },
    ...{ mode: null, options: {}, variant: null },
  }
  const launch = harnessLaunch({ harness: 'bench', version: null, auth: 'gateway', settings }, null)
  const sandbox = await makeSandbox({
    bundle: join(outDir, 'main.js'),
    programs: { 'updates-agent': agent },
    runtime_name: harnessRuntime,
    environment: { [harnessVariable]: JSON.stringify(launch) },
    address: '127.41.3.1',
  })
  sandbox.origin.commit('main', runtimeFiles(harnessRuntime))
  sandbox.origin.commit(sandbox.session_id, {}, 'main')
  sandbox.start()
  await sandbox.ready()
  return sandbox
}

async function bareRate(cwd: string, updates: number): Promise<number> {
  const bare = startBareAgent(process.execPath, [agent], { cwd, env: { PATH: process.env['PATH'] } })
  try {
    await bare.ask('initialize', { protocolVersion: 1, clientCapabilities: {} })
    await bare.ask('session/new', { cwd, mcpServers: [] })
    const began = performance.now()
    await bare.ask('session/prompt', {
      sessionId: 'updates',
      prompt: [{ type: 'text', text: `${updates} 0` }],
    })
    return (updates / (performance.now() - began)) * 1000
  } finally {
    await bare.close()
  }
}
