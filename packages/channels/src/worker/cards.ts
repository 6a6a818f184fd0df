import { askCard, changeRequestCard, closedCard, type Outgoing } from '@svc/channel'
import { pageUrl } from '@svc/context'
import type { Db } from '@svc/db'
import { channelMessages, type ChannelMessageRow, channelSubjects } from '@svc/db/channels'
import { askPhrase } from '@svc/services'
import type { ChannelWorkerContext } from '../context.ts'

type Drawing = Pick<ChannelWorkerContext, 'now' | 'settings'>

export interface AskPlace {
  readonly project_id: string
  readonly session_id: string
}

/** The card of a question or a permission; null for one that is gone. */
export async function drawAsk(
  ctx: Drawing,
  tx: Db,
  { project_id, session_id }: AskPlace,
  request_id: string,
): Promise<{ readonly body: Outgoing; readonly state: string } | null> {
  const ask = await channelSubjects.ask(tx, session_id, request_id)
  if (ask === undefined) return null
  const body = askCard({
    ...{ kind: ask.kind, body: ask.body, phrase: askPhrase(ask.kind, ask.body, ask.command) },
    url: pageUrl(ctx.settings, `/projects/${project_id}/sessions/${session_id}`),
  })
  return { body, state: ask.state }
}

const endings: Readonly<Record<string, string>> = {
  replied: 'Answered',
  rejected: 'Rejected',
  expired: 'No answer is waited for any more',
  timed_out: 'No answer came in time',
}

/** Takes the buttons from cards of asks that have an end, wherever that was given. */
export async function settleAsks(ctx: ChannelWorkerContext): Promise<void> {
  for (const { message, state } of await channelMessages.endedAsks(ctx.db, 200)) {
    const body = closedCard(message.body, message.body.footer ?? endings[state] ?? 'Ended')
    await channelMessages.edit(ctx.db, message.message_id, { body, now: ctx.now() })
  }
}

/** A change request as it is now, with the commits that its buttons are about; undefined for one that is gone. */
export async function drawChangeRequest(
  ctx: Drawing,
  tx: Db,
  { project_id, cr_id }: { readonly project_id: string; readonly cr_id: string },
) {
  const row = await channelSubjects.changeRequest(tx, cr_id)
  if (row === undefined) return undefined
  const { number, title, description, status, base_ref, ended_by } = row
  const url = pageUrl(ctx.settings, `/projects/${project_id}/change-requests/${number}`)
  const isEnded = status === 'merged' || status === 'closed'
  const footer =
    isEnded && ended_by !== null ? `${status === 'merged' ? 'Merged' : 'Closed'} by ${ended_by}` : undefined
  const subject = {
    ...{ type: 'change_request' as const, cr_id },
    head_sha: row.head_commit_sha,
    base_sha: row.base_commit_sha,
  }
  return { body: changeRequestCard({ number, title, description, status, base_ref, footer, url }), subject }
}

/** Draws the cards of a change request anew; what was said under them stays while it is open. */
export async function redrawChangeRequest(
  ctx: Drawing,
  tx: Db,
  key: { readonly project_id: string; readonly cr_id: string },
  footer?: string,
): Promise<void> {
  const drawn = await drawChangeRequest(ctx, tx, key)
  if (drawn === undefined) return
  const now = ctx.now()
  for (const { message_id, body: before } of await channelMessages.ofChangeRequest(tx, key.cr_id)) {
    const words = drawn.body.footer ?? footer ?? before.footer
    const body = words === undefined ? drawn.body : { ...drawn.body, footer: words }
    await channelMessages.edit(tx, message_id, { body, subject: drawn.subject, now })
  }
}

/** Ends a card: no press of it counts any more. */
export async function closeCard(
  ctx: Pick<ChannelWorkerContext, 'now'>,
  tx: Db,
  { message_id, body }: Pick<ChannelMessageRow, 'message_id' | 'body'>,
  footer: string,
): Promise<void> {
  await channelMessages.edit(tx, message_id, { body: closedCard(body, footer), now: ctx.now() })
}
