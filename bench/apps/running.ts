import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'
import { stopChild } from '../child.ts'
import { round, summarise } from '../measure.ts'
import { type Paired, paired } from './paired.ts'
import { type Site } from './platform.ts'
import { program } from './program.ts'

export interface Verdict {
  readonly what: string
  readonly promise: string
  readonly measured: string
  readonly held: boolean
}

/** Figures of a program behind the proxy, beside the same program asked directly. */
export async function running(
  site: Site,
  { turns, ms, wakes }: { readonly turns: number; readonly ms: number; readonly wakes: number },
): Promise<Verdict[]> {
  const { child, port } = await alone(site.folder)
  try {
    const ways = (path: string) =>
      [
        { url: `${site.proxy}${path}`, headers: { host: site.hostOf('api') } },
        { url: `http://127.0.0.1:${port}${path}`, headers: {} },
      ] as const
    const verdicts: Verdict[] = []
    for (const connections of [1, 16]) {
      const worked = await paired(ways('/work'), { connections, turns, ms })
      verdicts.push({
        what: `a page of 16 KiB that costs the app 1.5 ms, ${over(connections)}, beside the app alone`,
        promise: 'at least 0.8x, and at most 1 ms more at p50',
        measured: measured(worked),
        held: worked.ratio >= 0.8 && worked.added_ms <= 1,
      })
    }
    const idle = await paired(ways('/'), { connections: 16, turns, ms })
    verdicts.push({
      what: `a page of 1 KiB that does nothing, ${over(16)}, beside the app alone`,
      promise: 'at least 0.5x',
      measured: measured(idle),
      held: idle.ratio >= 0.5,
    })
    const { p50_ms, p95_ms, runs } = summarise(await wakeTimes(site, wakes))
    verdicts.push({
      what: 'a request that wakes an app, from its first byte to its answer',
      promise: 'p50 at most 0.7 s, p95 at most 1.5 s',
      measured: `p50 ${round(p50_ms / 1000)} s, p95 ${round(p95_ms / 1000)} s of ${runs}`,
      held: p50_ms <= 700 && p95_ms <= 1500,
    })
    return verdicts
  } finally {
    await stopChild(child)
  }
}

const over = (connections: number) =>
  connections === 1 ? 'over one connection' : `over ${connections} connections`

const measured = ({ through, direct, ratio, added_ms }: Paired) =>
  `${through}/s beside ${direct}/s: ${ratio}x, ${added_ms >= 0 ? '+' : ''}${added_ms} ms at p50`

/** The same program with nothing before it. */
async function alone(folder: string): Promise<{ child: ChildProcess; port: number }> {
  const file = join(folder, '../alone.cjs')
  await writeFile(file, program)
  const child = fork(file, { env: { PATH: process.env['PATH'], PORT: '0' } })
  process.once('exit', () => child.kill('SIGKILL'))
  const [{ port }] = await once(child, 'message')
  return { child, port }
}

async function wakeTimes({ client, project_id, proxy, hostOf }: Site, wakes: number): Promise<number[]> {
  const { apps } = client.projects
  const times: number[] = []
  for (let round = 0; round < wakes; round += 1) {
    await apps.stop(project_id, 'api')
    while ((await apps.get(project_id, 'api')).instance !== null) await sleep(50)
    await apps.start(project_id, 'api')
    // The proxy is told of it meanwhile, as of an app that fell asleep by itself.
    await sleep(200)
    const asked = performance.now()
    const answer = await request(proxy, { headers: { host: hostOf('api') } })
    await answer.body.dump()
    if (answer.statusCode !== 200) throw new Error(`The wake was answered with ${answer.statusCode}`)
    times.push(performance.now() - asked)
  }
  return times
}
