import { randomUUID } from 'node:crypto'
import pg from 'pg'

/** A client of the database as the probe uses it. */
interface Probed {
  query(text: string, values?: readonly unknown[]): Promise<{ readonly rows: readonly unknown[] }>
}

const rounds = 4
const ask = `select current_setting('svc.probe', true) as found`

/**
 * Whether a client keeps its connection to the server. Behind a pooler of transactions each statement may reach another
 * one, so that a setting of the session is read back as that of another client, or not at all.
 */
export async function keepsSession(connection_string: string, application_name?: string): Promise<boolean> {
  const clients = [0, 1].map(
    () =>
      new pg.Client({
        connectionString: connection_string,
        connectionTimeoutMillis: 10_000,
        ...(application_name !== undefined && { application_name }),
      }),
  )
  // A connection that is lost fails the query that runs.
  for (const client of clients) client.on('error', () => undefined)
  try {
    for (const client of clients) await client.connect()
    return await readsBack(clients)
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)))
  }
}

/** Each reads its own word back, four times, while the other is idle and while it has a statement under way. */
export async function readsBack(clients: readonly Probed[]): Promise<boolean> {
  const words = clients.map(() => randomUUID())
  for (const [index, client] of clients.entries())
    await client.query(`select set_config('svc.probe', $1, false)`, [words[index]])
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, client] of clients.entries()) {
      const others = clients.filter((other) => other !== client)
      const busy = round % 2 === 0 ? [] : others.map((other) => other.query('select pg_sleep(0.01)'))
      const [{ rows }] = await Promise.all([client.query(ask), ...busy])
      const [row] = rows
      if (typeof row !== 'object' || row === null || !('found' in row) || row.found !== words[index])
        return false
    }
  }
  return true
}
