import { Client } from 'pg'

/** One statement that cannot run inside a pool or a transaction, such as CREATE DATABASE. */
export async function runAsAdmin(admin_url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: admin_url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** The same server, another database. */
export function withDatabase(connection_string: string, database: string): string {
  const url = new URL(connection_string)
  url.pathname = `/${database}`
  return url.href
}
