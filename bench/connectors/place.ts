import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createDatabase, type Db } from '@svc/db'
import { migrateSchema } from '@svc/platform'
import pg from 'pg'
import { z } from 'zod'
import { mint, mintSignIn } from '../../apps/api/tests/support/credentials.ts'
import { startChild, stopChild } from '../child.ts'
import { createCaller, type Send } from './caller.ts'

export interface Place {
  /** For what is needed for the run alone. */
  readonly folder: string
  /** Of its database. */
  readonly url: string
  readonly db: Db
  readonly project_id: string
  /** Of the first agent. */
  readonly session_id: string
  readonly user_id: string
  /** Each asks the API as the agent of a session of its own that may use both connectors. */
  readonly agents: readonly Send[]
  readonly agent: Send
  /** Asks it as a person who signed in a minute ago. */
  readonly person: Send
  /** The MCP server of few tools. */
  readonly mcp_url: string
  /** The time at which the request of the tool `create_issue` with this tag was there. */
  arrived(tag: string): Promise<number>
  /** Gathers the statistics of the tables, as autovacuum does within a minute. */
  gatherStatistics(): Promise<void>
  close(): Promise<void>
}

const Server = z.object({ origin: z.url(), token: z.string() })
const Upstream = z.object({ few: z.url(), many: z.url() })
const Arrival = z.object({ tag: z.string(), at: z.number() })
const Project = z.object({ project_id: z.uuid() })
const Session = z.object({ session_id: z.uuid(), created_by: z.uuid() })

const connectors = ['few', 'many'] as const
const agents = 8

/** A project of the API with two connectors, of 2 and of 5,000 tools, and sessions whose agents may use both. */
export async function openPlace(admin: string, folder: string): Promise<Place> {
  const url = await createPlatformDatabase(admin)
  await mkdir(join(folder, 'platform'))
  const server = startChild(new URL('server.ts', import.meta.url), [join(folder, 'platform'), url])
  const upstream = startChild(new URL('upstream.ts', import.meta.url), [])
  const [said, urls] = await Promise.all([once(server, 'message'), once(upstream, 'message')])
  const { origin, token } = Server.parse(said[0])
  const served = Upstream.parse(urls[0])
  const waiting = new Map<string, (at: number) => void>()
  upstream.on('message', (message) => {
    const { tag, at } = Arrival.parse(message)
    waiting.get(tag)?.(at)
    waiting.delete(tag)
  })

  const db = createDatabase(url)
  const owner = createCaller(`${origin}/v1`, token)
  const { project_id } = Project.parse(await owner.sent('POST', '/projects/provision', { name: 'Bench' }))
  const path = `/projects/${project_id}`
  for (const slug of connectors) {
    const connector = { slug, provider: 'mcp', url: served[slug], auth: { type: 'none' } }
    await owner.sent('POST', `${path}/connectors`, connector)
    await owner.sent('POST', `${path}/connectors/${slug}/sync`)
  }
  const sessions: string[] = []
  const callers = [owner]
  const requested = JSON.stringify({
    connectors: connectors.map((slug) => ({ slug, connection_id: null })),
  })
  let user_id = ''
  for (let n = 0; n < agents; n += 1) {
    const session = Session.parse(await owner.sent('POST', `${path}/sessions`, {}))
    const { session_id } = session
    user_id = session.created_by
    sessions.push(session_id)
    const change = db.updateTable('project_sessions').set({ requested })
    await change.where('session_id', '=', session_id).execute()
    const { token: key } = await mint(db, { kind: 'session', user_id, project_id, session_id })
    callers.push(createCaller(`${origin}/v1`, key))
  }
  const { access } = await mintSignIn(db, { user_id, expires_at: new Date(Date.now() + 3_600_000) })
  const person = createCaller(`${origin}/v1`, access)
  const [, first = owner] = callers
  return {
    ...{ folder, url, db, project_id, session_id: sessions[0] ?? '', user_id, mcp_url: served.few },
    agents: callers.slice(1).map(({ send }) => send),
    agent: first.send,
    person: person.send,
    arrived: (tag) => new Promise((resolve) => waiting.set(tag, resolve)),
    gatherStatistics: async () => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      await client.query('vacuum analyze')
      await client.end()
    },
    close: async () => {
      await Promise.all([stopChild(server), stopChild(upstream)])
      await Promise.all([...callers, person].map((caller) => caller.close()))
      await db.destroy()
    },
  }
}

async function createPlatformDatabase(admin: string): Promise<string> {
  const root = new pg.Client({ connectionString: admin })
  await root.connect()
  await root.query('create database connectors')
  await root.end()
  const url = new URL(admin)
  url.pathname = '/connectors'
  await migrateSchema({ DATABASE_URL: url.href })
  return url.href
}
