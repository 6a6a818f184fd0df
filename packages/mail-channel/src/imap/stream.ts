import type { ChannelStream, Received } from '@svc/channel'
import type { ImapFlow } from 'imapflow'
import { mailLimits } from '../limits.ts'
import { readMail } from '../read/mail.ts'
import { type Mailbox, mailboxError, openMailbox } from './connect.ts'
import { type MailboxPlace, placeNow, placeText, readPlace } from './place.ts'

interface StreamOptions {
  readonly mailbox: Mailbox
  /** Of the channel. */
  readonly address: string
  readonly authserv_id: string
  /** The place up to which everything was taken; without one it begins now. */
  readonly cursor?: string | null
  readonly keep_cursor?: (cursor: string) => Promise<void>
}

/** A look that nothing asked for: a server may forget to say that a mail came. */
const lookMs = 240_000

/** A mailbox: each mail is marked as seen once it was taken, and until then comes again. */
export function mailboxStream({
  mailbox,
  cursor = null,
  keep_cursor,
  ...reading
}: StreamOptions): ChannelStream {
  return {
    async follow(take, signal) {
      let client: ImapFlow | undefined
      try {
        client = await openMailbox(mailbox, signal)
        const lost = lossOf(client)
        const box = await client.mailboxOpen('INBOX')
        const before = readPlace(cursor)
        let place = placeNow(before, { uid_validity: String(box.uidValidity), uid_next: box.uidNext })
        if (before === null || place !== before) await keep_cursor?.(placeText(place))
        while (!signal.aborted) {
          const arrival = arrivalOf(client)
          place = await takeAll(client, place, take)
          await Promise.race([lost, arrival.wait(client, signal)])
        }
      } catch (error) {
        if (!signal.aborted) throw mailboxError(error)
      } finally {
        client?.close()
      }
    },
  }

  async function takeAll(
    client: ImapFlow,
    from: MailboxPlace,
    take: (received: readonly Received[]) => Promise<void>,
  ): Promise<MailboxPlace> {
    let place = from
    const found = await client.search({ uid: `${from.next}:*` }, { uid: true })
    // The last mail answers to every range that is open.
    const uids = (found || []).filter((uid) => uid >= from.next).sort((a, b) => a - b)
    for (const uid of uids) {
      const received = await fetchOne(client, from.uid_validity, uid)
      if (received !== null) {
        await take([received])
        await client.messageFlagsAdd(String(uid), ['\\Seen'], { uid: true })
      }
      place = { ...place, next: uid + 1 }
      await keep_cursor?.(placeText(place))
    }
    return place
  }

  /** Null for one that is gone. Of one that is too large the headers alone are read. */
  async function fetchOne(client: ImapFlow, uid_validity: string, uid: number): Promise<Received | null> {
    const facts = await client.fetchOne(String(uid), { size: true, headers: true }, { uid: true })
    if (!facts) return null
    const isLarge = (facts.size ?? 0) > mailLimits.bytes
    const whole = isLarge ? false : await client.fetchOne(String(uid), { source: true }, { uid: true })
    const raw = whole ? whole.source : facts.headers
    if (raw === undefined) return null
    const received = await readMail({ ...reading, raw, platform_id: `${uid_validity}:${uid}` })
    if (!isLarge || received.body.kind !== 'message') return received
    return { ...received, body: { ...received.body, skip: received.body.skip ?? 'too_large' } }
  }
}

/** Rejects once the connection is gone. */
function lossOf(client: ImapFlow): Promise<never> {
  const lost = new Promise<never>((_, reject) => {
    client.on('error', reject)
    client.on('close', () => reject(new Error('The mailbox closed the connection')))
  })
  lost.catch(() => undefined)
  return lost
}

/** Notes from now on that a mail came, so that none comes between the look and the wait. */
function arrivalOf(client: ImapFlow) {
  let arrived = () => {}
  const arrival = new Promise<void>((resolve) => {
    arrived = resolve
  })
  client.once('exists', () => arrived())
  return {
    async wait(idling: ImapFlow, signal: AbortSignal): Promise<void> {
      const idle = idling.idle()
      idle.catch(() => undefined)
      const look = setTimeout(arrived, lookMs)
      signal.addEventListener('abort', arrived, { once: true })
      await arrival
      clearTimeout(look)
      signal.removeEventListener('abort', arrived)
    },
  }
}
