import { type Kysely, sql } from 'kysely'
import type { BudgetRow } from './budgets.table.ts'
import type { Database, Db } from '../database.ts'

/** Budgets of a project, or those of an account itself. */
export interface BudgetPlace {
  readonly account_id: string
  readonly project_id: string | null
}

export interface BudgetWindow {
  readonly subject: string
  readonly window_start: string
  readonly resets_at: string | null
  readonly spent_micros: number
  readonly held_micros: number
}

export interface BudgetAlert {
  readonly subject: string
  readonly window_start: string
  readonly threshold: number
  readonly spent_micros: number
  readonly cap_micros: number
  readonly at: string
}

export interface BudgetWithWindows extends BudgetRow {
  readonly windows: readonly BudgetWindow[]
  readonly alerts: readonly BudgetAlert[]
}

/** A budget of each session has as many windows as sessions: the fullest are enough to see. */
const maxWindows = 100

/** With the windows that have not ended, the fullest first, and the thresholds that were crossed in them. */
export async function list(db: Db, place: BudgetPlace): Promise<BudgetWithWindows[]> {
  return withWindows(db, place).orderBy('b.created_at').orderBy('b.budget_id').execute()
}

export async function find(
  db: Db,
  place: BudgetPlace,
  budget_id: string,
): Promise<BudgetWithWindows | undefined> {
  return withWindows(db, place).where('b.budget_id', '=', budget_id).executeTakeFirst()
}

function withWindows(db: Db, place: BudgetPlace) {
  const times = { zone: sql.lit('UTC'), form: sql.lit('YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') }
  const iso = (column: string) => sql`to_char(${sql.ref(column)} at time zone ${times.zone}, ${times.form})`
  const open = sql`w.budget_id = b.budget_id and (w.resets_at is null or w.resets_at > now())`
  return of(db, place)
    .selectAll('b')
    .select(
      sql<BudgetWindow[]>`coalesce((select jsonb_agg(jsonb_build_object('subject', w.subject,
          'window_start', ${iso('w.window_start')}, 'resets_at', ${iso('w.resets_at')},
          'spent_micros', w.spent_micros, 'held_micros', w.held_micros)
          order by w.spent_micros + w.held_micros desc, w.subject)
        from (select * from gateway_budget_windows w where ${open}
          order by w.spent_micros + w.held_micros desc, w.subject limit ${maxWindows}) w), '[]')`.as(
        'windows',
      ),
    )
    .select(
      sql<BudgetAlert[]>`coalesce((select jsonb_agg(jsonb_build_object('subject', a.subject,
          'window_start', ${iso('a.window_start')}, 'threshold', a.threshold, 'spent_micros', a.spent_micros,
          'cap_micros', a.cap_micros, 'at', ${iso('a.at')}) order by a.at, a.threshold)
        from (select a.* from gateway_budget_alerts a
          join gateway_budget_windows w using (budget_id, subject, window_start)
          where ${open} order by a.at desc limit ${maxWindows}) a), '[]')`.as('alerts'),
    )
}

function of(db: Db | Kysely<Database>, { account_id, project_id }: BudgetPlace) {
  return db
    .selectFrom('gateway_budgets as b')
    .where('b.account_id', '=', account_id)
    .where('b.project_id', project_id === null ? 'is' : '=', project_id)
}

export async function count(db: Db, place: BudgetPlace): Promise<number> {
  const { budgets } = await of(db, place)
    .select(({ fn }) => fn.countAll<number>().as('budgets'))
    .executeTakeFirstOrThrow()
  return Number(budgets)
}

/** Budgets of one place are made one after the other until the transaction ends, so that their count stays true. */
export async function lockPlace(tx: Db, { account_id, project_id }: BudgetPlace): Promise<void> {
  const key = `gateway-budgets:${project_id ?? account_id}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx)
}

/** The budget of the same level, subject, period and mode, of which a place has one. */
export async function findTwin(
  db: Db,
  place: BudgetPlace,
  { level, subject, period, mode }: Pick<BudgetRow, 'level' | 'subject' | 'period' | 'mode'>,
): Promise<string | undefined> {
  const row = await of(db, place)
    .select('b.budget_id')
    .where('b.level', '=', level)
    .where('b.subject', subject === null ? 'is' : '=', subject)
    .where('b.period', '=', period)
    .where('b.mode', '=', mode)
    .executeTakeFirst()
  return row?.budget_id
}

export async function insert(tx: Db, budget: BudgetRow): Promise<void> {
  await tx.insertInto('gateway_budgets').values(budget).execute()
}

export interface BudgetChange {
  readonly name?: string | undefined
  readonly cap_micros?: number | undefined
  readonly mode?: BudgetRow['mode'] | undefined
}

export async function update(
  tx: Db,
  budget_id: string,
  change: BudgetChange & { readonly updated_at: Date },
): Promise<void> {
  const set = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  await tx.updateTable('gateway_budgets').set(set).where('budget_id', '=', budget_id).execute()
}

/** With its windows and what running calls hold in them. */
export async function remove(tx: Db, budget_id: string): Promise<void> {
  await tx.deleteFrom('gateway_budgets').where('budget_id', '=', budget_id).execute()
}
