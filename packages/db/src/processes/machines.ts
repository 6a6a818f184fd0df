import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { goneMs } from './processes.ts'
import { jsonb } from '../kit/jsonb.ts'
import type { HeldHarnesses, MachineRow } from './machines.table.ts'

/** A machine that no worker was seen on for as long, and that holds no sandbox, is listed no more. */
const listedMs = 86_400_000

/** Notes that a worker makes sandboxes there. */
export async function see(
  db: Db,
  seen: Pick<MachineRow, 'machine' | 'provider' | 'seen_at'> & {
    readonly harnesses?: readonly HeldHarnesses[]
  },
): Promise<void> {
  const { machine, provider, seen_at } = seen
  const harnesses = seen.harnesses === undefined ? null : jsonb(seen.harnesses)
  await db
    .insertInto('machines')
    .values({ machine, provider, seen_at, harnesses })
    .onConflict((conflict) => conflict.column('machine').doUpdateSet({ provider, seen_at, harnesses }))
    .execute()
}

/** As JSON: by living machine, the harnesses that its sandboxes may have; null where its worker did not say. */
export const livingHarnesses = (now: Date) =>
  sql<(readonly HeldHarnesses[] | null)[]>`(select coalesce(jsonb_agg(harnesses), '[]') from machines
    where seen_at > ${new Date(now.getTime() - goneMs)})`

export async function listHarnesses(db: Db, now: Date): Promise<(readonly HeldHarnesses[] | null)[]> {
  const { rows } = await sql<{ held: (readonly HeldHarnesses[] | null)[] }>`
    select ${livingHarnesses(now)} as held`.execute(db)
  return rows[0]?.held ?? []
}

/** A machine with the number of its sandboxes. */
export interface MachineView {
  readonly machine: string
  readonly provider: string
  readonly state: 'open' | 'draining' | 'drained'
  readonly sandboxes: { readonly active: number; readonly stopped: number }
  readonly seen_at: Date
}

/** False: there is no such machine. */
export async function setState(
  tx: Db,
  machine: string,
  to: Pick<MachineRow, 'state' | 'drain_until'>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('machines')
    .set(to)
    .where('machine', '=', machine)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function isDraining(db: Db, machine: string): Promise<boolean> {
  const row = await db
    .selectFrom('machines')
    .select('state')
    .where('machine', '=', machine)
    .executeTakeFirst()
  return row?.state === 'draining'
}

/** By name. A machine that drains is drained once none of its sandboxes is active. */
export async function list(db: Db, now: Date, machine: string | null = null): Promise<MachineView[]> {
  const listed_since = new Date(now.getTime() - listedMs)
  const { rows } = await sql<Omit<MachineView, 'sandboxes'> & { active: number; stopped: number }>`
    with held as (
      select machine,
        count(*) filter (where status in ('provisioning', 'active')) as active,
        count(*) filter (where status in ('stopped', 'error')) as stopped
      from session_sandboxes where machine is not null and status <> 'archived' group by machine
    )
    select m.machine, m.provider, m.seen_at,
      case when m.state = 'draining' and coalesce(h.active, 0) = 0 then 'drained' else m.state end as state,
      coalesce(h.active, 0)::integer as active, coalesce(h.stopped, 0)::integer as stopped
    from machines m left join held h using (machine)
    where (m.seen_at > ${listed_since} or h.machine is not null) and (${machine}::text is null or m.machine = ${machine})
    order by m.machine`.execute(db)
  return rows.map(({ active, stopped, ...row }) => ({ ...row, sandboxes: { active, stopped } }))
}
