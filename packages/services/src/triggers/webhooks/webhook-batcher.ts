import { type Db, batched, triggerDeliveries, triggerFires, triggers } from '@svc/db'

type Key = triggers.TriggerKey
type PutOff = Parameters<typeof triggerFires.putOff>[1][number]
type Closed = triggerDeliveries.Closed

interface Received extends triggerDeliveries.Received {
  /** The cap of its account, above which the fires before it need not be counted; null where nothing hangs on them. */
  readonly count_to: number | null
}

/** The places and fires that a fire stands behind, as of when it was kept. */
export interface Behind extends Pick<triggers.Standing, 'live' | 'waiting' | 'earlier'> {
  /** Fires of the account that were kept before it and were not looked at yet. */
  readonly before: number
}

interface KeptDelivery {
  /** Null where it was not asked for. */
  readonly behind: Behind | null
}

export interface WebhookBatcher {
  /** The webhook at an address, as it is now. */
  find(key: triggers.ReceivingKey): Promise<triggers.ReceivingTrigger | undefined>
  /** Keeps a delivery with the fire that it owes; null when the same one is kept already. */
  keep(received: Received): Promise<KeptDelivery | null>
  /** Puts a kept fire off. */
  putOff(fire: PutOff): Promise<void>
  /** Keeps a delivery that opens no session; the session of the first when it is a repeat. */
  close(closed: Closed): Promise<string | null>
}

/** Larger ones do not wait for others, nor others for them. */
const smallBytes = 64 * 1024
const batchers = new WeakMap<Db, WebhookBatcher>()

/** The ways of deliveries into a database: those that come at once share their statements, and the flush of their commit. */
export function webhookBatcherOf(db: Db): WebhookBatcher {
  const known = batchers.get(db)
  if (known !== undefined) return known
  const find = batched(async (keys: readonly triggers.ReceivingKey[]) => {
    const found = await triggers.findReceiving(db, unique(keys))
    const byKey = new Map(found.map((row) => [keyOf(row), row]))
    return keys.map((key) => byKey.get(keyOf(key)))
  })
  const keepSmall = batched((received: readonly Received[]) => keepAll(db, received))
  const putOff = batched(async (fires: readonly PutOff[]) => {
    await triggerFires.putOff(db, fires)
    return fires.map(() => undefined)
  })
  const closeSmall = batched((closed: readonly Closed[]) => closeAll(db, closed))
  const batcher: WebhookBatcher = {
    find,
    putOff,
    async close(closed) {
      if (closed.delivery.body_bytes <= smallBytes) return closeSmall(closed)
      return (await closeAll(db, [closed]))[0] ?? null
    },
    async keep(received) {
      if (received.delivery.body_bytes <= smallBytes) return keepSmall(received)
      return (await keepAll(db, [received]))[0] ?? null
    },
  }
  batchers.set(db, batcher)
  return batcher
}

/** One statement takes a delivery once: of two copies that came at once, the first. */
async function keepAll(db: Db, received: readonly Received[]): Promise<(KeptDelivery | null)[]> {
  const first = new Map<string, Received>()
  for (const one of received) {
    const key = `${keyOf(one.delivery)} ${one.delivery.delivery_id}`
    if (!first.has(key)) first.set(key, one)
  }
  const kept = await triggerDeliveries.receive(db, [...first.values()])
  const fresh = received.filter(({ delivery }) => kept.has(delivery.receipt_id))
  const behind = await behindOthers(db, fresh)
  return received.map(({ delivery: { receipt_id }, count_to }) => {
    if (!kept.has(receipt_id)) return null
    return { behind: count_to === null ? null : (behind.get(receipt_id) ?? null) }
  })
}

/** Asked once they are kept: what was kept before them, by any process, is seen and counted. By receipt. */
async function behindOthers(db: Db, kept: readonly Received[]): Promise<Map<string, Behind>> {
  const asked = kept.flatMap(({ count_to }) => count_to ?? [])
  if (asked.length === 0) return new Map()
  const keys = unique(kept.map(({ delivery }) => delivery))
  const found = await triggers.listStandings(db, keys, Math.max(...asked) + kept.length)
  const byKey = new Map(found.map((one) => [keyOf(one), one]))
  const after = new Map<string, number>()
  // The last one first: of those that were kept together, each stands before the ones that came after it.
  const behind = kept.toReversed().flatMap(({ delivery }): [string, Behind][] => {
    const one = byKey.get(keyOf(delivery))
    if (one === undefined) return []
    const { account_id, live, waiting, earlier, pending } = one
    const behindIt = after.get(account_id) ?? 0
    after.set(account_id, behindIt + 1)
    return [[delivery.receipt_id, { live, waiting, earlier, before: Math.max(0, pending - behindIt - 1) }]]
  })
  return new Map(behind)
}

async function closeAll(db: Db, closed: readonly Closed[]): Promise<(string | null)[]> {
  const sessions = await triggerDeliveries.close(db, closed)
  return closed.map(({ delivery }) => sessions.get(delivery.receipt_id) ?? null)
}

const keyOf = ({ project_id, slug }: Key): string => `${project_id} ${slug}`

const unique = <T extends Key>(keys: readonly T[]): T[] => [
  ...new Map(keys.map((key) => [keyOf(key), key])).values(),
]
