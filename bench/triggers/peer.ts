import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import pg from 'pg'

/** The least that a receiver is: a route that keeps the body with one insert and says so. */
const pool = new pg.Pool({ connectionString: process.argv[2] ?? '', max: 20 })
await pool.query(
  'create table if not exists peer_deliveries (receipt_id uuid primary key, received_at timestamptz, headers jsonb, body bytea)',
)
const insert = 'insert into peer_deliveries (receipt_id, received_at, headers, body) values ($1, $2, $3, $4)'

const app = new Hono()
app.post('/hook', async (c) => {
  const receipt_id = randomUUID()
  const body = Buffer.from(await c.req.arrayBuffer())
  const headers = JSON.stringify(c.req.header())
  await pool.query({ name: 'keep', text: insert, values: [receipt_id, new Date(), headers, body] })
  return c.json({ status: 'kept', receipt_id }, 202)
})

const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 })
if (!server.listening) await once(server, 'listening')
const address = server.address()
process.send?.({
  origin: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
})
for (const end of ['message', 'disconnect', 'SIGINT', 'SIGTERM']) process.once(end, () => process.exit(0))
