import type { ThreadLine, ThreadPlace } from '@svc/channel'
import { z } from 'zod'
import { serverOf } from '../read/ids.ts'
import { currentContent, MatrixEvent, MatrixEvents } from '../read/schema.ts'
import { textOf } from '../read/text.ts'
import { type Call, path } from './client.ts'
import { unlessRefused } from './identify.ts'

const Page = z.object({ chunk: MatrixEvents, next_batch: z.string().optional() })
const pageSize = 50
const maxPages = 25

interface Bounds {
  readonly before: string
  readonly limit: number
  readonly bot: string
}

/** The newest lines of a thread before one of them, oldest first. */
export async function threadHistory(
  call: Call,
  { conversation, root }: ThreadPlace,
  { before, limit, bot }: Bounds,
  signal: AbortSignal,
): Promise<readonly ThreadLine[]> {
  if (before === root) return []
  const [newest, later]: [MatrixEvent[], MatrixEvent[]] = [[], []]
  let isBefore = false
  for await (const event of replies(call, { conversation, root }, signal)) {
    if (event.event_id === before) isBefore = true
    else if (isBefore) newest.push(event)
    else later.push(event)
    if (newest.length >= limit) break
  }
  // One that is gone, or stands outside the thread, ends nothing.
  const found = isBefore ? newest : later.slice(0, limit)
  const first =
    found.length < limit ? await unlessRefused(findEvent(call, conversation, root, signal)) : undefined
  return [...found, ...(first ? [first] : [])].toReversed().flatMap((event) => threadLine(event, bot))
}

/** An event of a room; throws where the bot may not see it. */
export function findEvent(
  call: Call,
  room: string,
  event: string,
  signal: AbortSignal,
): Promise<MatrixEvent> {
  return call(signal, { path: path`v3/rooms/${room}/event/${event}` }, MatrixEvent)
}

function threadLine(event: MatrixEvent, bot: string): ThreadLine[] {
  const content = currentContent(event)
  // One that was taken back has no content.
  if (event.type !== 'm.room.message' || content['msgtype'] === undefined) return []
  const { event_id: ref, sender } = event
  return [
    {
      ref,
      sender: { id: sender, tenant: serverOf(sender), display: sender },
      is_bot: sender === bot || content['msgtype'] === 'm.notice',
      text: textOf(content),
    },
  ]
}

/** Those of a thread, newest first. */
async function* replies(call: Call, { conversation, root }: ThreadPlace, signal: AbortSignal) {
  let from: string | undefined
  for (let page = 0; page < maxPages; page += 1) {
    const { chunk, next_batch } = await call(
      signal,
      {
        path: path`v1/rooms/${conversation}/relations/${root}/m.thread/m.room.message`,
        query: { dir: 'b', limit: String(pageSize), ...(from === undefined ? {} : { from }) },
      },
      Page,
    )
    yield* chunk
    from = next_batch
    if (from === undefined) return
  }
}
