import { sql } from 'kysely'
import pg from 'pg'
import type { Db } from '../database.ts'

/** Messages about a change, sent to every process over NOTIFY. One may be lost when a connection drops: read the row again. */
export interface ListenPayloads {
  session: { readonly session_id: string }
  session_delta: { readonly session_id: string; readonly event: Readonly<Record<string, unknown>> }
  merge: { readonly attempt_id: string }
  triggers: { readonly project_id: string }
  maintenance: { readonly mode: string }
}

export type ListenChannel = keyof ListenPayloads
const channels: readonly ListenChannel[] = ['session', 'session_delta', 'merge', 'triggers', 'maintenance']

/** PostgreSQL refuses payloads of 8000 bytes and more. */
export const maxNotifyBytes = 7900

/** null: messages may have been missed. */
type Handler<C extends ListenChannel> = (payload: ListenPayloads[C] | null) => void

export async function notify<C extends ListenChannel>(
  db: Db,
  channel: C,
  payload: ListenPayloads[C],
): Promise<void> {
  await sql`select pg_notify(${'svc_' + channel}, ${JSON.stringify(payload)})`.execute(db)
}

/** One LISTEN connection a process, shared by all who wait for something. */
export class DatabaseListener {
  readonly #config: pg.ClientConfig
  readonly #handlers: { readonly [C in ListenChannel]: Set<Handler<C>> } = {
    session: new Set(),
    session_delta: new Set(),
    merge: new Set(),
    triggers: new Set(),
    maintenance: new Set(),
  }
  #client: pg.Client | null = null
  #closed = false
  #retry: NodeJS.Timeout | null = null

  constructor(
    connection_string: string,
    { application_name }: { application_name?: string | undefined } = {},
  ) {
    this.#config = {
      connectionString: connection_string,
      keepAlive: true,
      ...(application_name !== undefined && { application_name }),
    }
  }

  async start(): Promise<void> {
    const client = new pg.Client(this.#config)
    client.on('error', () => this.#reconnect(client))
    client.on('end', () => this.#reconnect(client))
    client.on('notification', ({ channel, payload }) => {
      const name = channels.find((candidate) => `svc_${candidate}` === channel)
      if (name !== undefined && payload !== undefined) this.#deliver(name, JSON.parse(payload))
    })
    this.#client = client
    await client.connect()
    for (const channel of channels) await client.query(`listen svc_${channel}`)
  }

  subscribe<C extends ListenChannel>(channel: C, handler: Handler<C>): () => void {
    this.#handlers[channel].add(handler)
    return () => this.#handlers[channel].delete(handler)
  }

  async close(): Promise<void> {
    this.#closed = true
    if (this.#retry) clearTimeout(this.#retry)
    await this.#client?.end().catch(() => {})
  }

  #deliver<C extends ListenChannel>(channel: C, payload: ListenPayloads[C] | null): void {
    for (const handler of this.#handlers[channel]) handler(payload)
  }

  #reconnect(client: pg.Client): void {
    if (this.#closed || this.#client !== client) return
    this.#client = null
    client.end().catch(() => {})
    this.#retry = setTimeout(() => {
      this.start().then(
        () => channels.forEach((channel) => this.#deliver(channel, null)),
        () => this.#client && this.#reconnect(this.#client),
      )
    }, 500)
  }
}
