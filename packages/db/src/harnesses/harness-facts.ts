import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { hasGateway } from '../gateway/has-gateway.ts'
import type { HeldHarnesses } from '../processes/machines.table.ts'
import { livingHarnesses } from '../processes/machines.ts'

export interface HarnessFacts {
  /** True when the project has the model gateway. */
  readonly has_gateway: boolean
  /** The hashes of the texts that were accepted for the harness. */
  readonly accepted: readonly string[]
  /** True when the person holds a personal secret of this name in the project. */
  readonly holds_secret: boolean
  /** By living machine, the harnesses that its sandboxes may have; null where its worker did not say. */
  readonly machines: readonly (readonly HeldHarnesses[] | null)[]
}

/** Everything that the start of a harness depends on, in one look. */
export async function read(
  db: Db,
  of: {
    readonly project_id: string
    readonly harness: string
    readonly owner: string | null
    readonly secret: string | null
    readonly now: Date
  },
): Promise<HarnessFacts> {
  const { project_id, harness, owner, secret } = of
  // Asked only for a person's own session: others are started by roles that may not look at secrets.
  const holdsSecret =
    owner === null || secret === null
      ? sql`false`
      : sql`exists (select from personal_secrets
          where project_id = ${project_id} and user_id = ${owner} and name = ${secret})`
  const { rows } = await sql<HarnessFacts>`
    select ${hasGateway(sql`${project_id}::uuid`)} as has_gateway,
      array(select sha256 from harness_licences where harness = ${harness} and revoked_at is null) as accepted,
      ${holdsSecret} as holds_secret,
      ${livingHarnesses(of.now)} as machines`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('One row of subqueries is always there')
  return row
}
