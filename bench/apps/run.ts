import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { request } from 'undici'
import { createReader, rate } from '../api/load.ts'
import { startChild, stopChild } from '../child.ts'
import { machine } from '../machine.ts'
import { round, summarise } from '../measure.ts'
import { openSite, type Site } from './platform.ts'
import { running, type Verdict } from './running.ts'

/** See README.md. */
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    /** The figures of programs alone. */
    running: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
})
const plan = values.quick
  ? { turns: 2, ms: 1000, releases: 3, pairs: { turns: 10, ms: 500, wakes: 5 } }
  : { turns: 5, ms: 4000, releases: 10, pairs: { turns: 30, ms: 1000, wakes: 20 } }
const connections = 16

const files = new Map<string, Buffer>([
  ['small.txt', Buffer.alloc(10 * 1024, 'a line of a page that says little\n')],
  ['large.bin', Buffer.alloc(1024 * 1024, 7)],
])
for (let n = 0; n < 197; n += 1) files.set(`page-${n}.html`, Buffer.from(`<h1>${n}</h1>`.repeat(200)))
files.set('index.html', Buffer.from('0'))

const root = await mkdtemp(join(tmpdir(), 'svc-bench-apps-'))
const site = await openSite(root, files)
const peer = startChild(new URL('peer.ts', import.meta.url), [join(site.folder, 'site')])
try {
  const [{ port }] = await once(peer, 'message')
  const verdicts = [
    ...(await running(site, plan.pairs)),
    ...(values.running ? [] : await ofFiles(`http://127.0.0.1:${port}`)),
  ]
  console.info(
    `The load average of the last minute: ${machine().load_average.toFixed(1)} on ${machine().cores} cores`,
  )
  for (const { what, promise, measured, held } of verdicts)
    console.info(`${held ? 'held  ' : 'MISSED'} ${what}: ${measured} (${promise})`)
  if (values.json !== undefined)
    await writeFile(values.json, `${JSON.stringify({ machine: machine(), plan, verdicts }, null, 2)}\n`)
  if (verdicts.some(({ held }) => !held)) process.exitCode = 1
} finally {
  await stopChild(peer)
  await site.close()
  await rm(root, { recursive: true, force: true })
}

/** Files of an app, beside a program that serves the same ones; and releases of them. */
async function ofFiles(peer_origin: string): Promise<Verdict[]> {
  const small = await served('small.txt', peer_origin)
  const large = await served('large.bin', peer_origin)
  const released = await releases(site)
  const times = summarise(released.times)
  return [
    ...[
      { what: '10 KiB', ...small },
      { what: '1 MiB', ...large },
    ].map(({ what, ours, theirs }) => ({
      what: `a file of ${what}, requests a second over ${connections} connections, beside sirv in a Node program`,
      promise: 'at least 1x of it',
      measured: `${Math.round(ours)}/s beside ${Math.round(theirs)}/s: ${round(ours / theirs)}x`,
      held: ours >= theirs,
    })),
    {
      what: 'a push to the default branch of a site of 200 files, from its answer to the first new byte',
      promise: 'at most 3 s',
      measured: `p50 ${times.p50_ms} ms, p95 ${times.p95_ms} ms of ${times.runs}`,
      held: times.p95_ms <= 3000,
    },
    {
      what: `requests that were not answered 200 while ${plan.releases} releases and a rollback were shown`,
      promise: '0',
      measured: `${released.lost} of ${released.asked}`,
      held: released.lost === 0,
    },
  ]
}

/** Both take turns; the median of each. */
async function served(file: string, peer_origin: string): Promise<{ ours: number; theirs: number }> {
  const [ours, theirs]: [number[], number[]] = [[], []]
  for (let turn = 0; turn <= plan.turns; turn += 1) {
    for (const [origin, rates] of [
      [site.proxy, ours],
      [peer_origin, theirs],
    ] as const) {
      const reader = createReader(`${origin}/${file}`, { host: site.hostOf('site') }, connections)
      const { per_second } = await rate(reader, connections, plan.ms, 200)
      reader.close()
      // The first turn warms up.
      if (turn > 0) rates.push(per_second)
    }
  }
  return { ours: median(ours), theirs: median(theirs) }
}

function median(rates: readonly number[]): number {
  return rates.toSorted((a, b) => a - b)[Math.floor(rates.length / 2)] ?? 0
}

/** Releases one after the other under load; none of its requests may fail. */
async function releases({ client, project_id, folder, push, proxy, hostOf }: Site) {
  const host = hostOf('site')
  const reader = createReader(`${proxy}/`, { host }, 8)
  let [asked, lost, going] = [0, 0, true]
  const load = Array.from({ length: 4 }, async () => {
    while (going) {
      asked += 1
      const { status } = await reader.read().catch(() => ({ status: 0 }))
      if (status !== 200) lost += 1
      await sleep(2)
    }
  })
  const shows = async (page: string) => {
    while ((await readPage(proxy, host)) !== page) await sleep(5)
  }
  const times: number[] = []
  for (let n = 1; n <= plan.releases; n += 1) {
    await writeFile(join(folder, 'site/index.html'), String(n))
    await push()
    const began = performance.now()
    await shows(String(n))
    times.push(performance.now() - began)
  }
  await client.projects.apps.rollback(project_id, 'site')
  await shows(String(plan.releases - 1))
  going = false
  await Promise.all(load)
  reader.close()
  return { times, asked, lost }
}

async function readPage(origin: string, host: string): Promise<string> {
  const answer = await request(origin, { headers: { host } })
  return answer.body.text()
}
