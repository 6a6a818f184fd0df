import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { harnessRuntime } from '../../packages/facts/src/index.ts'
import { harnessLaunch, harnessVariable } from '../../packages/harness/src/index.ts'
import { build } from 'tsup'
import { daemonProgram } from '../../apps/daemon/tsup.config.ts'
import { runtimeFiles } from '../../apps/daemon/tests/support/runtime-files.ts'
import { makeSandbox } from '../../apps/daemon/tests/support/sandbox.ts'
import { deployable } from '../../tsup.base.ts'
import { machine } from '../machine.ts'
import { startBareAgent } from './bare-acp.ts'
import { readUntil, summarise } from './measure.ts'

// An agent by the protocol behind the daemon, beside the same agent before a client of a few lines, in one run.
const { values } = parseArgs({
  options: { runs: { type: 'string', default: '30' }, json: { type: 'string' } },
})
const runs = Number(values.runs)
/** The quiet after an answer, in which late updates still belong to the turn. */
const quietMs = 150
const promises = { first_token_ms: 50, turn_ms: 15 + quietMs }

const folder = await mkdtemp(join(tmpdir(), 'svc-bench-harnesses-'))
const [daemonOut, agentOut] = [join(folder, 'daemon'), join(folder, 'agent')]
const main = new URL('../../apps/daemon/tests/support/acp-agent/main.ts', import.meta.url).pathname
await build({ ...daemonProgram({ outDir: daemonOut, sourcemap: false, silent: true }), config: false })
await build({
  ...deployable({ entry: { main }, outDir: agentOut, sourcemap: false, silent: true }),
  config: false,
})
const program = join(agentOut, 'main.js')

const ACP_AGENT = JSON.stringify({ auth_gateway: false })
const settings = { command: ['acp-agent'], dialect: 'chat' as const, env: { ACP_AGENT }, model_env: [] }
const launch = harnessLaunch(
  {
    harness: 'bench',
    version: null,
    auth: 'gateway',
    settings: { ...settings, mode: null, options: {}, variant: null },
  },
  null,
)
const sandbox = await makeSandbox({
  bundle: join(daemonOut, 'main.js'),
  programs: { 'acp-agent': program },
  ...{
    runtime_name: harnessRuntime,
    environment: { [harnessVariable]: JSON.stringify(launch) },
    address: '127.41.2.1',
  },
})

/** From the prompt until the first piece of an answer, and until the turn is over. */
interface Turn {
  readonly first_token: number
  readonly turn: number
}

async function ours(): Promise<Turn> {
  const over = new AbortController()
  const signal = over.signal
  const headers = { authorization: `Bearer ${sandbox.key}` }
  const url = `http://${sandbox.address}:8000/svc/runtime/events`
  const [first, last] = [await fetch(url, { headers, signal }), await fetch(url, { headers, signal })]
  const began = performance.now()
  await sandbox.prompt('hello')
  const at = (response: Response, word: string) =>
    readUntil(response, (words) => words.includes(word)).then(() => performance.now() - began)
  const [first_token, turn] = await Promise.all([
    at(first, 'event: message.delta'),
    at(last, '"state":"end"'),
  ])
  over.abort()
  return { first_token, turn }
}

async function bare(agent: ReturnType<typeof startBareAgent>, sessionId: unknown): Promise<Turn> {
  const began = performance.now()
  let first_token = 0
  await agent.ask('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'hello' }] }, () => {
    first_token ||= performance.now() - began
  })
  return { first_token, turn: performance.now() - began }
}

const env = {
  ...{ PATH: process.env['PATH'], HOME: folder, ACP_AGENT },
  ...{ OPENAI_BASE_URL: sandbox.model.baseUrl, OPENAI_API_KEY: 'key' },
}
async function startBare() {
  const agent = startBareAgent(process.execPath, [program], { env, cwd: folder })
  await agent.ask('initialize', { protocolVersion: 1, clientCapabilities: {} })
  const { sessionId } = await agent.ask('session/new', { cwd: folder, mcpServers: [] })
  return { agent, sessionId }
}

const rss = async (pid: number | undefined): Promise<number> =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

try {
  sandbox.model.on('hello', [{ text: 'Hello there. ' }])
  sandbox.origin.commit('main', runtimeFiles(harnessRuntime))
  sandbox.origin.commit(sandbox.session_id, {}, 'main')
  sandbox.start()
  await sandbox.ready()
  const { agent, sessionId } = await startBare()
  const turns = { ours: [] as Turn[], bare: [] as Turn[] }
  // The first round is not counted.
  for (let index = -1; index < runs; index += 1) {
    const [one, other] = index % 2 === 0 ? [await ours(), await bare(agent, sessionId)] : await bothReversed()
    if (index >= 0) {
      turns.ours.push(one)
      turns.bare.push(other)
    }
    await sleep(100)
  }
  async function bothReversed(): Promise<[Turn, Turn]> {
    const other = await bare(agent, sessionId)
    return [await ours(), other]
  }
  await agent.close()
  const figures = {
    first_token: {
      ours: summarise(turns.ours.map((one) => one.first_token)),
      limit: summarise(turns.bare.map((one) => one.first_token)),
    },
    turn: {
      ours: summarise(turns.ours.map((one) => one.turn)),
      limit: summarise(turns.bare.map((one) => one.turn)),
    },
    daemon_rss_mb: Math.round(await rss(sandbox.process?.pid)),
  }
  const added = {
    first_token_ms: figures.first_token.ours.p50_ms - figures.first_token.limit.p50_ms,
    turn_ms: figures.turn.ours.p50_ms - figures.turn.limit.p50_ms,
  }
  const missed = (['first_token_ms', 'turn_ms'] as const).filter((name) => added[name] > promises[name])
  console.log(JSON.stringify({ ...figures, added, promises, missed }, null, 2))
  if (values.json !== undefined)
    await writeFile(
      values.json,
      JSON.stringify({ machine: machine(), ...figures, added, promises, missed }, null, 2),
    )
  process.exitCode = missed.length > 0 ? 1 : 0
} finally {
  await sandbox.close()
  await rm(folder, { recursive: true, force: true })
}
