import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { machine } from '../machine.ts'
import { compare } from '../measure.ts'
import { startStub } from './stub.ts'

/** `npx tsx bench/cli/run.ts [--runs <n>] [--json <file>]`: cold starts of `svc` beside those of Node itself. */
const { values } = parseArgs({ options: { runs: { type: 'string' }, json: { type: 'string' } } })
const runs = z.coerce
  .number()
  .int()
  .positive()
  .parse(values.runs ?? 40)
const svc = join(import.meta.dirname, '../../apps/cli/bin/svc.mjs')
const home = await mkdtemp(join(tmpdir(), 'svc-bench-cli-'))
const stub = await startStub(50)

/** Each command as a whole process, with nobody at its terminal. */
async function node(args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, args, {
    cwd: home,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      SVC_API_URL: `${stub.origin}/v1`,
      SVC_CLI_TOKEN: 'svc_pat_bench',
      SVC_PROJECT_ID: stub.project_id,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${String(code)}`)
}

const cases = [
  { name: 'svc version', args: ['version'], limit: 2 },
  { name: 'svc cr ls', args: ['cr', 'ls'], limit: 4 },
  { name: 'svc help', args: ['help'], limit: null },
  { name: 'svc completion bash', args: ['completion', 'bash'], limit: null },
]
try {
  await node(['-e', '0'])
  const results = []
  for (const { name, args, limit } of cases) {
    await node([svc, ...args])
    const result = await compare(
      runs,
      () => node([svc, ...args]),
      () => node(['-e', '0']),
    )
    const held = limit === null || result.ratio <= limit
    results.push({
      name,
      peer: 'node -e 0',
      result,
      promise: limit === null ? null : `p50 <= ${limit}x`,
      held,
    })
    const promise = limit === null ? '' : `  promised <= ${limit}x: ${held ? 'held' : 'MISSED'}`
    console.info(`${name.padEnd(20)} ${result.ours.p50_ms} ms  ${result.ratio}x of node -e 0${promise}`)
  }
  const report = { bench: 'cli', measured_at: new Date().toISOString(), machine: machine(), results }
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(report, null, 2)}\n`)
  if (results.some(({ held }) => !held)) process.exitCode = 1
} finally {
  await stub.close()
  await rm(home, { recursive: true, force: true })
}
