import { sql } from 'kysely'
import type { Db } from '../database.ts'
import type { ListenChannel, ListenPayloads } from './listen.ts'

/** The words of a process that wait to be sent, as text, so that one that waits already is not added again. */
interface Waiting {
  readonly words: Map<string, { readonly channel: ListenChannel; readonly payload: string }>
  sending: boolean
}

const waiting = new WeakMap<Db, Waiting>()

/**
 * Notifies of what is committed already. The caller does not wait for it, and what is asked for again before it is sent goes out once.
 *
 * PostgreSQL lets one transaction at a time commit that has a message, until the disk has it: many small commits with a message
 * each wait in a row. Here they have none, and the message has a transaction of its own that does not wait for the disk.
 * It is lost with this process, or with a connection: only for what a sweep finds as well.
 */
export function notifyLater<C extends ListenChannel>(db: Db, channel: C, payload: ListenPayloads[C]): void {
  const own = waiting.get(db) ?? { words: new Map(), sending: false }
  waiting.set(db, own)
  const text = JSON.stringify(payload)
  own.words.set(`${channel} ${text}`, { channel, payload: text })
  if (!own.sending) void send(db, own)
}

async function send(db: Db, own: Waiting): Promise<void> {
  own.sending = true
  while (own.words.size > 0) {
    const words = [...own.words.values()]
    own.words.clear()
    const [names, texts] = [words.map(({ channel }) => `svc_${channel}`), words.map(({ payload }) => payload)]
    const sent = sql`select set_config('synchronous_commit', 'off', true), pg_notify(m.name, m.text)
      from unnest(${names}::text[], ${texts}::text[]) as m (name, text)`.execute(db)
    await sent.catch(() => {})
  }
  own.sending = false
}
