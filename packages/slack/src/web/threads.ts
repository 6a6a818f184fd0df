import type { ThreadLine, ThreadPlace } from '@svc/channel'
import type { WebAPICallResult, WebClient } from '@slack/web-api'
import { z } from 'zod'
import { readable } from '../read/text.ts'
import type { Call } from './client.ts'

const Line = z.object({
  ts: z.string(),
  user: z.string().optional(),
  bot_id: z.string().nullish(),
  username: z.string().nullish(),
  team: z.string().optional(),
  subtype: z.string().optional(),
  text: z.string().nullish(),
  metadata: z.object({ event_type: z.string(), event_payload: z.record(z.string(), z.unknown()) }).optional(),
})
type Line = z.infer<typeof Line>
type Page = WebAPICallResult & { readonly messages?: readonly unknown[] }
type Ask = (client: WebClient, cursor: { cursor?: string }) => Promise<Page>

const pageSize = 200
const maxPages = 25
/** Between the clock of the platform and that of Slack. */
const clocksMs = 60_000

export const eventType = 'svc_message'

/** The message with that id in the metadata: in a thread, or among those that begin threads. */
export async function findMessage(
  call: Call,
  { conversation, root }: { readonly conversation: string; readonly root: string | null },
  message_id: string,
  since: Date,
  signal: AbortSignal,
): Promise<string | null> {
  const oldest = String((since.getTime() - clocksMs) / 1_000)
  const asked = { channel: conversation, oldest, include_all_metadata: true, limit: pageSize }
  const ask: Ask = (client, cursor) =>
    root === null
      ? client.conversations.history({ ...asked, ...cursor })
      : client.conversations.replies({ ...asked, ts: root, ...cursor })
  for await (const { ts, metadata } of pages(call, ask, signal))
    if (metadata?.event_type === eventType && metadata.event_payload['message_id'] === message_id) return ts
  return null
}

/** The newest lines of a thread before one of them, oldest first. */
export async function threadHistory(
  call: Call,
  { conversation, root }: ThreadPlace,
  { before, limit, tenant }: { readonly before: string; readonly limit: number; readonly tenant: string },
  signal: AbortSignal,
): Promise<readonly ThreadLine[]> {
  const asked = { channel: conversation, ts: root, latest: before, inclusive: false, limit: pageSize }
  const lines = new Map<string, ThreadLine>()
  // Each page begins with the first message of the thread.
  for await (const line of pages(
    call,
    (client, cursor) => client.conversations.replies({ ...asked, ...cursor }),
    signal,
  ))
    if (Number(line.ts) < Number(before)) lines.set(line.ts, threadLine(line, tenant))
  return [...lines.values()].slice(-limit)
}

function threadLine({ ts, user, bot_id, username, team, text, subtype }: Line, tenant: string): ThreadLine {
  const id = user ?? bot_id ?? ''
  return {
    ref: ts,
    sender: { id, tenant: team ?? tenant, display: username ?? id },
    is_bot: Boolean(bot_id) || subtype === 'bot_message',
    text: readable(text ?? ''),
  }
}

async function* pages(call: Call, ask: Ask, signal: AbortSignal): AsyncGenerator<Line> {
  let cursor: string | undefined
  for (let page = 0; page < maxPages; page += 1) {
    const from = cursor === undefined ? {} : { cursor }
    const { messages = [], response_metadata } = await call(signal, (client) => ask(client, from))
    yield* messages.flatMap((message) => Line.safeParse(message).data ?? [])
    cursor = response_metadata?.next_cursor
    if (!cursor) return
  }
}
