import { once } from 'node:events'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import pg from 'pg'

/** The least that an API is: a route that reads one row and writes it as JSON, for every client. */
const pool = new pg.Pool({ connectionString: process.argv[2] ?? '', max: 20 })
const text = `select project_id, account_id, name, slug, repo_url, default_branch, status, metadata, created_by, created_at,
  updated_at from projects where project_id = $1`

const app = new Hono()
app.get('/v1/projects/:project_id', async (c) => {
  const { rows } = await pool.query({ name: 'read', text, values: [c.req.param('project_id')] })
  return rows[0] === undefined ? c.json({ error: true }, 404) : c.json(rows[0])
})

const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 })
if (!server.listening) await once(server, 'listening')
const address = server.address()
process.send?.({
  origin: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
})
for (const end of ['message', 'disconnect', 'SIGINT', 'SIGTERM']) process.once(end, () => process.exit(0))
