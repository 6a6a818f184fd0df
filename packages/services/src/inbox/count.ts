import type { Context } from '@svc/context'
import { inboxItems } from '@svc/db'
import { type Capability, type InboxKind, inboxKinds } from '@svc/facts'
import { inboxAdapters } from './kinds.ts'
import { isAsk } from './read-waiting.ts'
import { type InboxReach, inboxScope } from './scope.ts'

/** The number of items that wait for the person, of each kind and of all. */
export async function countInbox(ctx: Pick<Context, 'db' | 'principal' | 'now' | 'trail'>) {
  const as_of = ctx.now()
  const scope = await inboxScope(ctx)
  const counted = scope.projects.size === 0 ? [] : await countFor(ctx.db, valuesOf(scope, as_of))
  const found = new Map(counted.map(({ kind, count }) => [kind, count]))
  // The keys are those of the list.
  const by_kind = Object.fromEntries(inboxKinds.map((kind) => [kind, found.get(kind) ?? 0])) as Record<
    InboxKind,
    number
  >
  return { total: counted.reduce((sum, { count }) => sum + count, 0), by_kind, as_of }
}

/** Placeholders for what differs from one count to the next. */
const holdings = new Map<Capability, readonly string[]>()
const person: InboxReach = {
  user_id: 'the person',
  administered: [],
  holding: (capability) => {
    const known = holdings.get(capability) ?? []
    holdings.set(capability, known)
    return known
  },
}
const anyTime = new Date(0)

const countFor = inboxItems.countOf(
  inboxKinds.map((kind) => ({
    kind,
    waiting: inboxAdapters[kind].waiting(person, anyTime),
    may_be_marked: !isAsk(kind),
  })),
  { user_id: person.user_id, now: anyTime },
)

const valuesOf = ({ user_id, administered, holding }: InboxReach, now: Date) =>
  new Map<unknown, unknown>([
    [person.user_id, user_id],
    [person.administered, administered],
    [anyTime, now],
    ...[...holdings].map(([capability, place]) => [place, holding(capability)] as const),
  ])
