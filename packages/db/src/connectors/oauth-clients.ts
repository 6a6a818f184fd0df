import type { Selectable } from 'kysely'
import type { Db } from '../database.ts'
import type { ConnectorOAuthClientTable } from './connectors.table.ts'

export type ConnectorOAuthClientRow = Selectable<ConnectorOAuthClientTable>
type Key = Pick<ConnectorOAuthClientRow, 'project_id' | 'issuer' | 'redirect_uri'>

/** The platform's registration at an issuer, of one project. */
export async function find(
  db: Db,
  { project_id, issuer, redirect_uri }: Key,
): Promise<ConnectorOAuthClientRow | undefined> {
  return db
    .selectFrom('connector_oauth_clients')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('issuer', '=', issuer)
    .where('redirect_uri', '=', redirect_uri)
    .executeTakeFirst()
}

/** Keeps a registration; of two at once the first stays, and is the answer to both. */
export async function keep(db: Db, row: ConnectorOAuthClientRow): Promise<ConnectorOAuthClientRow> {
  await db
    .insertInto('connector_oauth_clients')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await find(db, row)) ?? row
}
