import { type Context, decodeCursor, encodeCursor } from '@svc/context'
import type { InboxKind } from '@svc/facts'
import { z } from 'zod'
import { countsOf } from './counts.ts'
import type { WaitingItem } from './entry.ts'
import { isAsk, readWaiting, withoutMarked } from './read-waiting.ts'
import { inboxScope } from './scope.ts'

export interface GetInboxInput {
  readonly limit: number
  readonly cursor?: string | undefined
  readonly kind?: InboxKind | undefined
  readonly project_id?: string | undefined
  readonly session_id?: string | undefined
}

const Cursor = z.object({ key: z.string() })

/** A page of what waits for the person; the counts are of all of it. */
export async function getInbox(
  ctx: Pick<Context, 'db' | 'principal' | 'now' | 'trail'>,
  { limit, cursor, kind, project_id, session_id }: GetInboxInput,
) {
  const after = cursor === undefined ? null : decodeCursor(Cursor, cursor).key
  const scope = await inboxScope(ctx, project_id)
  const all = await withoutMarked(ctx, scope, await readWaiting(ctx, scope))
  const own = session_id === undefined ? all : all.filter((item) => item.session_id === session_id)
  const counts = countsOf(own)
  const asked = own
    .filter((item) => kind === undefined || item.kind === kind)
    .map((item) => ({ item, key: orderOf(item) }))
    .filter(({ key }) => after === null || key > after)
    .sort((one, other) => (one.key < other.key ? -1 : 1))
  const page = asked.slice(0, limit)
  const last = asked.length > limit ? page.at(-1) : undefined
  return {
    items: page.map(({ item }) => presentItem(item)),
    counts: { total: own.length, ...counts },
    next_cursor: last ? encodeCursor({ key: last.key }) : null,
  }
}

const latest = 9_999_999_999_999

/** Asks come first, by the time at which they expire; then the others, the newest first. */
function orderOf({ kind, at, expires_at, item_id }: WaitingItem): string {
  const time = isAsk(kind) ? (expires_at?.getTime() ?? latest) : latest - at.getTime()
  return `${isAsk(kind) ? 0 : 1}:${String(time).padStart(13, '0')}:${item_id}`
}

type InboxVerdict = 'dismiss' | 'snooze' | 'approve'

function presentItem(item: WaitingItem) {
  const { item_id, version, kind, project_id, project_name, title, phrase, at, path } = item
  const { safe = false } = item
  const aside: InboxVerdict[] = isAsk(kind) ? [] : ['dismiss', 'snooze']
  const verdicts: InboxVerdict[] = safe ? ['approve', ...aside] : aside
  return {
    ...{ item_id, version, kind, project_id, project_name },
    session_id: item.session_id ?? null,
    cr_number: item.cr_number ?? null,
    request_id: item.request_id ?? null,
    slug: item.slug ?? null,
    fire_id: item.fire_id ?? null,
    ...{ title, phrase },
    risk: item.risk ?? null,
    safe,
    at,
    expires_at: item.expires_at ?? null,
    ...{ path, verdicts },
    count: item.count ?? null,
  }
}
