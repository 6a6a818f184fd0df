import { z } from 'zod'
import { ownMove } from '../read/event.ts'
import { type MatrixEvent, MatrixEvents } from '../read/schema.ts'
import { type Call, path } from '../web/client.ts'
import { type JoinedRoom, readTypes } from './answer.ts'

const Page = z.object({ chunk: MatrixEvents, end: z.string().optional() })
const pageSize = 50
/** A gap that is longer is not filled to its beginning. */
const maxPages = 100

interface Followed {
  readonly room: string
  readonly bot: string
  readonly since: string
}

/** The events of a room since then, oldest first: all of them, but none from before the bot was invited to it. */
export async function timelineOf(
  call: Call,
  { timeline }: JoinedRoom,
  { room, bot, since }: Followed,
  signal: AbortSignal,
): Promise<readonly MatrixEvent[]> {
  const { events = [], limited = false, prev_batch: from } = timeline ?? {}
  const isGap = limited && from !== undefined && !events.some((event) => ownMove(event, bot) === 'join')
  const earlier = isGap ? await earlierEvents(call, { room, bot, since, from }, signal) : []
  return sinceInvited([...earlier, ...events], bot)
}

/** Backwards from a place to where the last sync ended, or to where the bot came. */
async function earlierEvents(
  call: Call,
  { room, bot, since, from }: Followed & { readonly from: string },
  signal: AbortSignal,
): Promise<readonly MatrixEvent[]> {
  const found: MatrixEvent[] = []
  let place = from
  for (let page = 0; page < maxPages; page += 1) {
    const filter = JSON.stringify({ types: readTypes })
    const query = { dir: 'b', limit: String(pageSize), from: place, to: since, filter }
    const { chunk, end } = await call(signal, { path: path`v3/rooms/${room}/messages`, query }, Page)
    found.push(...chunk)
    if (end === undefined || end === since || chunk.some((event) => ownMove(event, bot) === 'join')) break
    place = end
  }
  return found.toReversed()
}

/** A room that the bot just came to shows what was said before as well. */
function sinceInvited(events: readonly MatrixEvent[], bot: string): readonly MatrixEvent[] {
  const joined = events.findLastIndex((event) => ownMove(event, bot) === 'join')
  if (joined < 0) return events
  const invited = events.slice(0, joined).findLastIndex((event) => ownMove(event, bot) === 'invite')
  return events.slice(invited < 0 ? joined : invited)
}
