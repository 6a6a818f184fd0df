import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openWorld, projectWith } from '@svc/services/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleProcess } from '../../../scripts/bundle-process.ts'

/** Occurrences; `SVC_LONG_TESTS=1` for the long form. */
const wanted = process.env['SVC_LONG_TESTS'] ? 10_000 : 80
const triggerCount = process.env['SVC_LONG_TESTS'] ? 100 : 20
const ahead_ms = 30_000
const skews = [ahead_ms, ahead_ms, 0]

const world = await openWorld()
const children = new Set<ChildProcess>()

let folder: string
let program: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-trigger-schedulers-'))
  program = await bundleProcess(new URL('processes/scheduler-main.ts', import.meta.url))
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

const maxStarts = 5

/**
 * A process of its own, whose clock is that far ahead. Resolves once it works. One that ends before, as when a machine
 * that is busy lets it wait too long for its connection, is started again, as whatever supervises it does.
 */
async function startScheduler(skew_ms: number): Promise<ChildProcess> {
  for (let starts = 1; ; starts += 1) {
    const place = await mkdtemp(join(folder, 'scheduler-'))
    const args = [program, world.connection_string, String(skew_ms), place]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    children.add(child)
    const ended = once(child, 'exit').finally(() => children.delete(child))
    const works = await Promise.race([once(child.stdout, 'data').then(() => true), ended.then(() => false)])
    if (works) return child
    if (starts === maxStarts) throw new Error(`A scheduler ended ${starts} times before it worked`)
  }
}

const count = async (where = sql`true`) => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from trigger_fires where ${where}`.execute(
    world.db,
  )
  return rows[0]?.n ?? 0
}

test(`invariant 5: schedulers with clocks apart, killed at random: ${wanted} occurrences, none twice, none lost`, async () => {
  const slugs = Array.from({ length: triggerCount }, (_, index) => `t${index}`)
  const entry = (slug: string) => `  - { slug: ${slug}, type: cron, cron: '* * * * * *', prompt: go }\n`
  const project = await projectWith(world, slugs.map(entry).join(''))
  // The processes live in real time, the world of the test does not; two of them are ahead of it.
  const began = new Date(Math.floor(Date.now() / 1000) * 1000 + ahead_ms)
  await sql`update project_triggers set next_fire_at = ${began}, due_at = ${began}`.execute(world.db)
  await sql`update trigger_catalogues set check_at = now() + interval '1 day'`.execute(world.db)

  const alive = skews.map(startScheduler)
  const worked = () => count(sql`status <> 'missed'`)
  for (let kills = 0; kills < 4 || (await worked()) < wanted; kills += 1) {
    const victim = kills % 2
    const child = await alive[victim]
    // Something more is written, and a moment passes: it dies in the middle of what comes next.
    const before = await worked()
    while ((await worked()) < before + 10) await sleep(Math.random() * 30)
    child?.kill('SIGKILL')
    alive[victim] = startScheduler(ahead_ms)
  }
  for (const child of await Promise.all(alive)) {
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
  }

  // One row for each slot, without a gap from the first to the one before the next.
  const { rows } = await sql<{
    slug: string
    listed: number
    distinct: number
    first: Date
    last: Date
    next: Date
  }>`
    select f.slug, count(*) as listed, count(distinct f.scheduled_at) as distinct,
      min(f.scheduled_at) as first, max(f.scheduled_at) as last, t.next_fire_at as next
    from trigger_fires f join project_triggers t using (project_id, slug)
    where f.project_id = ${project.project_id} group by f.slug, t.next_fire_at`.execute(world.db)
  expect(rows).toHaveLength(triggerCount)
  for (const row of rows) {
    expect(row.listed).toBe(row.distinct)
    expect(row.first).toEqual(began)
    expect(row.next.getTime() - row.last.getTime()).toBe(1000)
    expect(row.listed).toBe((row.last.getTime() - row.first.getTime()) / 1000 + 1)
  }
  // Every session that a trigger opened stands in the ledger, and the other way round.
  const sessions = await sql<{ session_id: string; fires: number }>`
    select s.session_id, count(f.fire_id) as fires
    from project_sessions s left join trigger_fires f on f.session_id = s.session_id
    where s.origin = 'trigger' group by s.session_id`.execute(world.db)
  expect(sessions.rows.every((row) => row.fires === 1)).toBe(true)
  expect(await count(sql`status = 'fired'`)).toBe(sessions.rows.length)
  expect(await count(sql`status not in ('fired', 'missed')`)).toBe(0)
}, 3_600_000)
