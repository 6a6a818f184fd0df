import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { type Api, type Case, measureAll } from './cases.ts'
import { git } from './measure.ts'

/**
 * Change requests over the real API and merge-worker, beside the raw git commands on the same repository in the same
 * run: `npx tsx bench/change-requests/run.ts [--quick] [--json <file>]`.
 */
const { values } = parseArgs({ options: { quick: { type: 'boolean' }, json: { type: 'string' } } })
const shapes = [
  { files: 500, commits: 10 },
  { files: 20_000, commits: 1_000 },
  { files: 100_000, commits: 10_000 },
].slice(0, values.quick ? 1 : 3)

const Ready = z.object({ origin: z.url(), token: z.string() })
const Provisioned = z.object({ project_id: z.uuid() })

const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'))
const server = fork(fileURLToPath(new URL('./server.ts', import.meta.url)), [folder], {
  execArgv: ['--import', import.meta.resolve('tsx')],
})
const [message] = await once(server, 'message')
const { origin, token } = Ready.parse(message)

const api: Api = {
  async call(method, path, body) {
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return JSON.parse(text)
  },
}

const results: { files: number; commits: number; cases: Case[] }[] = []
try {
  for (const shape of shapes) {
    const name = `${shape.files} files, ${shape.commits} commits`
    const made = await api.call('POST', '/v1/projects/provision', { name, seed_starter: false })
    const { project_id } = Provisioned.parse(made)
    const cases = await measureAll(api, project_id, join(folder, 'managed', `${project_id}.git`), shape)
    results.push({ ...shape, cases })
    console.info(`\n${name}`)
    for (const { name: what, peer, result, promise, held } of cases) {
      const { ours, peer: other, ratio } = result
      console.info(
        `  ${what.padEnd(16)} p50 ${ours.p50_ms} ms, p95 ${ours.p95_ms} ms | ${peer}: p50 ${other.p50_ms} ms, ` +
          `p95 ${other.p95_ms} ms | ${ratio}x | ${promise}: ${held ? 'held' : 'MISSED'}`,
      )
    }
  }
} catch (error) {
  console.error(error)
  process.exitCode = 1
} finally {
  if (server.connected) server.send('close')
  if (server.exitCode === null) await once(server, 'exit')
  await rm(folder, { recursive: true, force: true })
}

const machine = {
  cpus: cpus().length,
  model: cpus()[0]?.model ?? '',
  node: process.version,
  git: await git('.', ['--version']),
}
const json = JSON.stringify({ bench: 'change-requests', machine, results }, null, 2)
if (values.json) {
  await mkdir(join(values.json, '..'), { recursive: true })
  await writeFile(values.json, `${json}\n`)
} else console.info(`\n${json}`)
if (results.some(({ cases }) => cases.some(({ held }) => !held))) process.exitCode = 1
