import pg from 'pg'

/** Statistics of the tables of calls, as autovacuum gathers them within a minute: a planner without them guesses. */
export async function gatherStatistics(connection_string: string): Promise<void> {
  const client = new pg.Client({ connectionString: connection_string })
  await client.connect()
  await client.query('vacuum analyze gateway_calls, gateway_holds, gateway_budget_windows')
  await client.end()
}
