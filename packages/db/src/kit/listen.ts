import { sql } from 'kysely'
import pg from 'pg'
import type { Db } from '../database.ts'
import { type Handler, Subscriptions } from './subscriptions.ts'

/** Messages about a change, sent to every process over NOTIFY. One may be lost when a connection drops: read the row again. */
export interface ListenPayloads {
  session: { readonly session_id: string }
  session_delta: { readonly session_id: string; readonly event: Readonly<Record<string, unknown>> }
  merge: { readonly attempt_id: string }
  triggers: { readonly project_id: string }
  connector_call: { readonly call_id: string }
  /** An app of the project changed: its releases, its address or who may look at it. */
  apps: { readonly project_id: string }
  /** A release with a new instance that is to be started. */
  app_wake: { readonly release_id: string }
  maintenance: { readonly mode: string }
  /** Told by triggers, of an event that waits for its sequence. */
  platform_event: { readonly account_id: string }
  /** Events of an account that got one. */
  published: { readonly account_id: string }
  /** Told by triggers, of a person with a new notification, or one that is read. */
  notification: { readonly user_id: string }
  /** Told by triggers, of a channel with something that came in or goes out. */
  channel: { readonly channel_id: string }
  /** Told by triggers of the rows that pages show. */
  change: { readonly kind: string; readonly project_id: string; readonly id: string }
}

export type ListenChannel = keyof ListenPayloads

/** The row that a message of each channel is about. */
const idOf: { readonly [C in ListenChannel]: (payload: ListenPayloads[C]) => string } = {
  session: ({ session_id }) => session_id,
  session_delta: ({ session_id }) => session_id,
  merge: ({ attempt_id }) => attempt_id,
  triggers: ({ project_id }) => project_id,
  connector_call: ({ call_id }) => call_id,
  apps: ({ project_id }) => project_id,
  app_wake: ({ release_id }) => release_id,
  maintenance: ({ mode }) => mode,
  platform_event: ({ account_id }) => account_id,
  published: ({ account_id }) => account_id,
  notification: ({ user_id }) => user_id,
  channel: ({ channel_id }) => channel_id,
  change: ({ project_id }) => project_id,
}
const channels = [
  'session',
  'session_delta',
  'merge',
  'triggers',
  'connector_call',
  'apps',
  'app_wake',
  'maintenance',
  'platform_event',
  'published',
  'notification',
  'channel',
  'change',
] as const satisfies readonly ListenChannel[]

/** PostgreSQL refuses payloads of 8000 bytes and more. */
export const maxNotifyBytes = 7900

export async function notify<C extends ListenChannel>(
  db: Db,
  channel: C,
  payload: ListenPayloads[C],
): Promise<void> {
  await sql`select pg_notify(${'svc_' + channel}, ${JSON.stringify(payload)})`.execute(db)
}

/** Several messages of a channel, in one statement. */
export async function notifyAll<C extends ListenChannel>(
  db: Db,
  channel: C,
  payloads: readonly ListenPayloads[C][],
): Promise<void> {
  if (payloads.length === 0) return
  const texts = payloads.map((payload) => JSON.stringify(payload))
  await sql`select pg_notify(${'svc_' + channel}, m.text) from unnest(${texts}::text[]) with ordinality as m (text, n)
    order by m.n`.execute(db)
}

const retryMs = 500

/**
 * One LISTEN connection a process, shared by all who wait for something. It is opened with the first handler, and a channel
 * is listened to from its first handler on: a process without one has no such connection.
 */
export class DatabaseListener {
  readonly #config: pg.ClientConfig
  readonly #subscriptions: { readonly [C in ListenChannel]: Subscriptions<ListenPayloads[C]> } = {
    session: new Subscriptions(),
    app_wake: new Subscriptions(),
    session_delta: new Subscriptions(),
    merge: new Subscriptions(),
    triggers: new Subscriptions(),
    connector_call: new Subscriptions(),
    apps: new Subscriptions(),
    maintenance: new Subscriptions(),
    platform_event: new Subscriptions(),
    published: new Subscriptions(),
    notification: new Subscriptions(),
    channel: new Subscriptions(),
    change: new Subscriptions(),
  }
  readonly #active = new Set<ListenChannel>()
  #client: pg.Client | null = null
  #working = false
  #closed = false
  #retry: NodeJS.Timeout | null = null

  constructor(
    connection_string: string,
    { application_name }: { readonly application_name?: string | undefined } = {},
  ) {
    this.#config = {
      connectionString: connection_string,
      keepAlive: true,
      ...(application_name !== undefined && { application_name }),
    }
  }

  /** Of every message of the channel, or of those about one row. Returns what ends it. */
  subscribe<C extends ListenChannel>(
    channel: C,
    handler: Handler<ListenPayloads[C]>,
    id?: string,
  ): () => void {
    const end = this.#subscriptions[channel].add(handler, id)
    if (!this.#active.has(channel)) void this.#listen()
    return end
  }

  async close(): Promise<void> {
    this.#closed = true
    if (this.#retry) clearTimeout(this.#retry)
    await this.#client?.end().catch(() => {})
  }

  /** Listens to what is subscribed to; a handler from before that may have missed messages. */
  async #listen(): Promise<void> {
    if (this.#working || this.#closed || this.#retry) return
    this.#working = true
    try {
      for (let next = this.#wanted(); next && !this.#closed; next = this.#wanted()) {
        const client = this.#client ?? (await this.#connect())
        await client.query(`listen svc_${next}`)
        if (this.#client !== client) throw new Error('The connection was lost')
        this.#active.add(next)
        this.#subscriptions[next].deliverNothing()
      }
      this.#working = false
    } catch {
      this.#working = false
      this.#lose(this.#client)
    }
  }

  #wanted(): ListenChannel | undefined {
    return channels.find((channel) => !this.#active.has(channel) && !this.#subscriptions[channel].isEmpty)
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client(this.#config)
    client.on('error', () => this.#lose(client))
    client.on('end', () => this.#lose(client))
    client.on('notification', ({ channel, payload }) => {
      const name = channels.find((candidate) => `svc_${candidate}` === channel)
      if (name !== undefined && payload !== undefined) this.#deliver(name, JSON.parse(payload))
    })
    this.#client = client
    await client.connect()
    return client
  }

  #deliver<C extends ListenChannel>(channel: C, payload: ListenPayloads[C]): void {
    this.#subscriptions[channel].deliver(idOf[channel](payload), payload)
  }

  /** Begins again after a while, with all channels that are subscribed to. */
  #lose(client: pg.Client | null): void {
    if (this.#closed || this.#client !== client || this.#retry) return
    this.#client = null
    this.#active.clear()
    client?.end().catch(() => {})
    this.#retry = setTimeout(() => {
      this.#retry = null
      void this.#listen()
    }, retryMs)
  }
}
