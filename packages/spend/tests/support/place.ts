import { randomUUID } from 'node:crypto'
import { accounts, type Db, projects } from '@svc/db'
import type { PriceCard } from '@svc/models'
import { sql } from 'kysely'
import type { CallToAdmit } from '../../src/index.ts'

/** A dollar a million tokens of input, two of output: a token of input is one micro-dollar. */
export const card: PriceCard = { input: 1_000_000, output: 2_000_000 }
export const freeCard: PriceCard = { input: 0, output: 0 }

export interface Place {
  readonly account_id: string
  readonly user_id: string
  readonly project_id: string
}

export async function makePlace(db: Db, tier: 'free' | 'team' | 'self_host' = 'self_host'): Promise<Place> {
  const [account_id, user_id, created_at] = [randomUUID(), randomUUID(), new Date()]
  await accounts.createWithOwner(
    db,
    { account_id, name: 'x', tier, created_at },
    { user_id, email: `${user_id}@example.com`, name: 'x', created_at },
  )
  return { account_id, user_id, project_id: await addProject(db, { account_id, user_id }) }
}

export async function addProject(db: Db, by: Pick<Place, 'account_id' | 'user_id'>): Promise<string> {
  const [project_id, created_at] = [randomUUID(), new Date()]
  const where = { name: 'x', slug: project_id, kind: 'managed', repo_url: `managed:${project_id}` } as const
  const sealed = { sealed_data_key: 'none', sealed_credential: null }
  const times = { created_at, updated_at: created_at, archived_at: null }
  const row = { project_id, account_id: by.account_id, created_by: by.user_id, default_branch: 'main' }
  await projects.insert(db, { ...row, ...where, ...sealed, ...times })
  return project_id
}

interface Wanted {
  readonly level: string
  readonly cap_micros: number
  readonly period?: string
  readonly subject?: string | null
  readonly mode?: 'block' | 'alert'
  readonly of?: 'project' | 'account'
}

/** A budget as its row is: what may be asked for is tried elsewhere. */
export async function makeBudget(db: Db, place: Place, wanted: Wanted): Promise<string> {
  const { level, cap_micros, period = 'total', subject = null, mode = 'block', of = 'project' } = wanted
  const budget_id = randomUUID()
  await sql`insert into gateway_budgets (budget_id, account_id, project_id, name, level, subject, period, cap_micros, mode,
      created_by, created_at, updated_at)
    values (${budget_id}, ${place.account_id}, ${of === 'project' ? place.project_id : null}, ${level}, ${level},
      ${subject}, ${period}, ${cap_micros}, ${mode}, ${place.user_id}, now(), now())`.execute(db)
  return budget_id
}

/** A call that may cost 1,000 micro-dollars for its input and 2 for each of 500 tokens of output. */
export function callOf(place: Place, overrides: Partial<CallToAdmit> = {}): CallToAdmit {
  return {
    call_id: randomUUID(),
    account_id: place.account_id,
    project_id: place.project_id,
    session_id: null,
    prompt_id: null,
    trigger_slug: null,
    agent_name: null,
    token_id: randomUUID(),
    dialect: 'chat',
    model_asked: 'acme/one',
    model: 'acme/one',
    provider: 'acme',
    provider_scope: 'project',
    streamed: true,
    attempts: [{ model: 'acme/one', provider: 'acme', provider_scope: 'project' }],
    request_id: null,
    bounds: { card, input_bound: 1_000, output_limit: 500, n: 1 },
    input_estimate: 300,
    unbounded: null,
    countInput: null,
    ...overrides,
  }
}

/** Puts the end of a call's lease into the past. */
export async function expire(db: Db, call_id: string): Promise<void> {
  await sql`update gateway_calls set expires_at = now() - interval '1 second' where call_id = ${call_id} and live`.execute(
    db,
  )
}

export async function creditOf(db: Db, place: Place, amount: number): Promise<void> {
  await sql`insert into credit_accounts (account_id, balance_micros, billing_state, created_at, updated_at)
    values (${place.account_id}, ${amount}, 'active', now(), now())`.execute(db)
  await sql`insert into credit_ledger (entry_id, account_id, at, kind, amount_micros, balance_after_micros)
    values (gen_random_uuid(), ${place.account_id}, now(), 'grant', ${amount}, ${amount})`.execute(db)
}
