import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createDatabase } from '@svc/db'
import { z } from 'zod'
import { builtEntry } from '../../apps/standalone/tests/support/platform/apps.ts'
import { fillHistory } from '../../packages/db/tests/support/history.ts'
import { git } from '../change-requests/git.ts'
import { round, summarise, timed } from '../measure.ts'
import { runBench } from '../report.ts'
import { rowDumpOf } from './dump-rows.ts'
import { mergeByApi, openRepository, type Repository } from './merge-work.ts'
import { openPlace, type Place } from './place.ts'

const mostSlower = 1.2
const large = { files: 5_000, commits: 200 }
const small = { files: 500, commits: 10 }
const Written = z.object({ bytes: z.number() })

const mbPerSecond = (bytes: number, ms: number) => round(bytes / 1_000 / ms)

/** A backup beside the dump of its rows and the bundles of its repositories alone, and merges while one is taken. */
await runBench('operations/backup', async ({ quick }) => {
  const plan = quick
    ? { sessions: 30_000, projects: 4, merges: 150, turns: 2 }
    : { sessions: 200_000, projects: 10, merges: 900, turns: 3 }
  const place = await openPlace()
  try {
    const url = await place.database('backup')
    const api = await place.api('api', url, { merges: 4 })
    const merged = await openRepository(place, api, plan.merges, small)
    const repositories: Repository[] = [merged]
    for (let n = 0; n < plan.projects; n += 1) repositories.push(await openRepository(place, api, 1, large))
    await fill(place, url, plan.sessions)
    const rowDump = await rowDumpOf(url)
    const left = merged.waiting.values()
    /** Merges one after the other until they are enough; the times of each. */
    const mergeUntil = async (isEnough: (times: readonly number[]) => boolean) => {
      const times: number[] = []
      for (const { cr_id } of left) {
        times.push(await timed(() => mergeByApi(api, merged.project_id, cr_id)))
        if (isEnough(times)) break
      }
      return times
    }
    const times = { backup: [0], rows: [0], bundles: [0], during: [0], alone: [0] }
    for (const kind of Object.values(times)) kind.pop()
    let bytes = 0
    for (let turn = 0; turn < plan.turns; turn += 1) {
      times.backup.push(await timed(async () => (bytes = await backUp(place, url))))
      let taken = false
      const taking = backUp(place, url).finally(() => (taken = true))
      const during = await mergeUntil(() => taken)
      await taking
      times.during.push(...during)
      times.alone.push(...(await mergeUntil((alone) => alone.length === during.length)))
      times.rows.push(await timed(rowDump.dump))
      times.bundles.push(await timed(() => bundleAll(place, repositories)))
    }
    const [backup, rows, bundles] = [times.backup, times.rows, times.bundles]
      .map(summarise)
      .map(({ p50_ms }) => p50_ms)
    const [during, alone] = [summarise(times.during), summarise(times.alone)]
    const slower = round(during.p50_ms / alone.p50_ms)
    const limit = (rows ?? 0) + (bundles ?? 0)
    const verdicts = [
      {
        what: `a backup, beside ${rowDump.name} and git bundle alone`,
        promise: 'a figure',
        measured: `${mbPerSecond(bytes, backup ?? 0)} MB/s, ${Math.round(backup ?? 0)} ms beside ${Math.round(limit)} ms: ${round((backup ?? 0) / limit)}x`,
        held: true,
      },
      {
        what: `merges while a backup is taken, ${during.runs} beside ${alone.runs}`,
        promise: `p50 at most ${mostSlower}x`,
        measured: `${during.p50_ms} ms beside ${alone.p50_ms} ms: ${slower}x`,
        held: slower <= mostSlower,
      },
    ]
    return { verdicts, figures: { plan, bytes, backup, rows, bundles, during, alone } }
  } finally {
    await place.close()
  }
})

async function fill(place: Place, url: string, sessions: number): Promise<void> {
  const db = createDatabase(url, { max: 2 })
  await place.fill(() => fillHistory(db, { dead: sessions, live: 100, owing: 0 }))
  await db.destroy()
}

/** The command as an operator runs it beside the platform, without a backup before it that parts could be linked from. */
async function backUp(place: Place, url: string): Promise<number> {
  const to = join(place.folder, 'backups', randomBytes(4).toString('hex'))
  await mkdir(to, { recursive: true })
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: url,
    SVC_PUBLIC_URL: 'http://127.0.0.1',
    SVC_REPOSITORIES_DIR: join(place.folder, 'api/managed'),
    SVC_MIRRORS_DIR: join(place.folder, 'mirrors of backups'),
    SVC_MASTER_KEY: randomBytes(32).toString('hex'),
    SVC_INTERNAL_PORT: '0',
  }
  const args = [builtEntry('api'), 'backup', '--to', to, '--json']
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const { bytes } = Written.parse(JSON.parse(await text(child.stdout)))
  await rm(to, { recursive: true })
  return bytes
}

async function bundleAll({ folder }: Place, repositories: readonly Repository[]): Promise<void> {
  const file = join(folder, 'alone.bundle')
  for (const { git_dir } of repositories) await git(git_dir, ['bundle', 'create', '--quiet', file, '--all'])
  await rm(file)
}
