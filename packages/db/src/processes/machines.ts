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
    readonly door?: boolean
  },
): Promise<void> {
  const { machine, provider, seen_at, door = false } = seen
  const harnesses = seen.harnesses === undefined ? null : jsonb(seen.harnesses)
  await db
    .insertInto('machines')
    .values({ machine, provider, seen_at, harnesses, door })
    .onConflict((conflict) => conflict.column('machine').doUpdateSet({ provider, seen_at, harnesses, door }))
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

/** A machine as its own worker knows it. */
export interface OwnMachine {
  readonly machine: string
  readonly door?: boolean | undefined
}

/** Machines whose sandboxes no other reaches, since they or this one have a door: those that live, but for this one. */
const others = ({ machine, door = false }: OwnMachine, now: Date) => sql`
  select machine, state from machines
  where machine <> ${machine} and (door or ${door}) and seen_at > ${new Date(now.getTime() - goneMs)}`

export async function listOthers(db: Db, own: OwnMachine, now: Date): Promise<string[]> {
  const { rows } = await sql<{ machine: string }>`${others(own, now)}`.execute(db)
  return rows.map(({ machine }) => machine)
}

/**
 * The other machine whose worker alone reaches the sandbox of a session; null where this one may take its job. What brings a
 * sandbox up does not wait for a machine that is being emptied: there it would never come up.
 */
export async function homeOf(
  db: Db,
  { session_id, starts }: { readonly session_id: string; readonly starts: boolean },
  own: OwnMachine,
  now: Date,
): Promise<string | null> {
  const { rows } = await sql<{ machine: string }>`
    select m.machine from session_sandboxes b join (${others(own, now)}) m using (machine)
    where b.session_id = ${session_id} and b.status <> 'archived' and (m.state = 'open' or not ${starts})`.execute(
    db,
  )
  return rows[0]?.machine ?? null
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
