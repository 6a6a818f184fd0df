import { channelLimits, shortened } from '@svc/channel'
import { pageUrl } from '@svc/context'
import type { Db, PlatformEventRow } from '@svc/db'
import { channelMessages, channelSubjects, channelThreads, type ChannelThreadRow } from '@svc/db/channels'
import { catalogue, type EventData, type EventType, isEventType } from '@svc/event'
import type { ChannelWorkerContext } from '../context.ts'
import { keepOutgoing } from '../outgoing-files.ts'
import { drawAsk, drawChangeRequest, redrawChangeRequest, closeCard } from './cards.ts'
import { endProgress, turnLine } from './progress.ts'

type Following = Pick<ChannelWorkerContext, 'now' | 'newId' | 'settings'>

/** Has the threads of sessions hear of their events, in the transaction that publishes these: each once. */
export async function followInThreads(
  ctx: Following,
  tx: Db,
  events: readonly PlatformEventRow[],
): Promise<void> {
  const ids = events.flatMap((event) => sessionOf(event) ?? [])
  const threads = await channelThreads.ofSessions(tx, [...new Set(ids)])
  for (const event of events) {
    if (event.type.startsWith('cr.')) await changeRequestMoved(ctx, tx, event)
    const session_id = sessionOf(event)
    const known = session_id === null ? undefined : threads.get(session_id)
    if (known === undefined) continue
    const thread = await channelThreads.lock(tx, known.thread_id)
    if (thread?.planned_session_id === session_id) await write(ctx, tx, thread, event)
  }
}

/** The session whose thread an event is about. */
function sessionOf({ type, session_id, data }: PlatformEventRow): string | null {
  const origin = type.startsWith('cr.') ? data['origin_session_id'] : (session_id ?? data['session_id'])
  return typeof origin === 'string' ? origin : null
}

type Writer<T extends EventType> = (
  ctx: Following,
  tx: Db,
  thread: ChannelThreadRow,
  data: EventData<T>,
) => Promise<void>

const writers: { readonly [T in EventType]?: Writer<T> } = {
  'session.turn_ended': async (ctx, tx, thread, { session_id, prompt_id, outcome }) => {
    const turns = await channelSubjects.turns(tx, [session_id])
    await endProgress(ctx, tx, thread, turnLine(turns.get(session_id), outcome))
    const said = await channelSubjects.said(tx, { session_id, prompt_id })
    const last = said.findLast(({ text }) => text.trim() !== '')
    const error = said.findLast((one) => one.error !== null)?.error ?? null
    const text = answerText({ text: last?.text ?? null, error, outcome })
    const page = pageUrl(ctx.settings, `/projects/${thread.project_id}/sessions/${session_id}`)
    const rest = `The whole answer is \`${answerFile}\`, and here: ${page}`
    await append(ctx, tx, thread, 'answer', `turn:${prompt_id}`, {
      text: shortened(text, channelLimits.answerChars, rest),
    })
    if (text.length > channelLimits.answerChars) await appendWhole(ctx, tx, thread, prompt_id, text)
  },
  'session.waiting': async (ctx, tx, thread, { session_id, request_id }) => {
    const { project_id } = thread
    const drawn = await drawAsk(ctx, tx, { project_id, session_id }, request_id)
    if (drawn === null || drawn.state !== 'asked') return
    await append(ctx, tx, thread, 'card', `ask:${request_id}`, drawn.body, {
      ...{ type: 'ask', session_id, request_id },
    })
  },
  'session.failed': async (ctx, tx, thread, { session_id }) => {
    const turn = (await channelSubjects.turns(tx, [session_id])).get(session_id)
    await endProgress(ctx, tx, thread, 'Failed')
    const why = turn?.failure?.message ?? 'it says no more'
    await append(ctx, tx, thread, 'notice', null, {
      text: `The session failed: ${why}. Write here again to start it anew.`,
    })
  },
  'session.stopped': (ctx, tx, thread) => endProgress(ctx, tx, thread, 'Stopped; write here again to go on'),
  'session.deleted': (ctx, tx, thread) => endProgress(ctx, tx, thread, 'The session was deleted'),
  'cr.opened': async (ctx, tx, thread, { cr_id }) => {
    const drawn = await drawChangeRequest(ctx, tx, { project_id: thread.project_id, cr_id })
    if (drawn === undefined) return
    await append(ctx, tx, thread, 'card', `cr:${cr_id}`, drawn.body, drawn.subject)
  },
  'approval.requested': async (ctx, tx, thread, { call_id, slug, action }) => {
    const url = pageUrl(ctx.settings, `/projects/${thread.project_id}/approvals/${call_id}`)
    await append(
      ...([ctx, tx, thread, 'card', `approval:${call_id}`] as const),
      {
        title: 'A call waits for your decision',
        text: `\`${slug}.${action}\``,
        // A decision asks for a fresh sign-in, which a thread has not.
        buttons: [{ id: 'open', label: 'Approve or deny', style: 'primary', url }],
      },
      { type: 'approval', call_id },
    )
  },
  'approval.decided': (ctx, tx, thread, data) => closeApproval(ctx, tx, thread, data),
  'approval.expired': (ctx, tx, thread, data) => closeApproval(ctx, tx, thread, data),
  'approval.executed': (ctx, tx, thread, data) => closeApproval(ctx, tx, thread, data),
}

async function write(
  ctx: Following,
  tx: Db,
  thread: ChannelThreadRow,
  { type, data }: PlatformEventRow,
): Promise<void> {
  if (!isEventType(type)) return
  // Each writer is of the type under which it stands, and its data is checked.
  const writer = writers[type] as Writer<EventType> | undefined
  const parsed = catalogue[type].data.safeParse(data)
  if (writer !== undefined && parsed.success) await writer(ctx, tx, thread, parsed.data)
}

async function append(
  ctx: Following,
  tx: Db,
  thread: ChannelThreadRow,
  kind: 'answer' | 'card' | 'notice',
  subject_key: string | null,
  body: Parameters<typeof channelMessages.append>[2]['body'],
  subject?: Parameters<typeof channelMessages.append>[2]['subject'],
): Promise<void> {
  const message_id = ctx.newId()
  const about = {
    ...(subject_key === null ? {} : { subject_key }),
    ...(subject === undefined ? {} : { subject }),
  }
  await channelMessages.append(tx, thread, { message_id, kind, body, ...about }, ctx.now())
}

const answerFile = 'answer.md'

/** The whole of an answer that is too long for a message, as a file behind its beginning. */
async function appendWhole(
  ctx: Following,
  tx: Db,
  thread: ChannelThreadRow,
  prompt_id: string,
  text: string,
): Promise<void> {
  const message = { message_id: ctx.newId(), kind: 'file', body: { text: answerFile } } as const
  const subject_key = `answer:${prompt_id}`
  const row = await channelMessages.append(tx, thread, { ...message, subject_key }, ctx.now())
  if (row === undefined) return
  await keepOutgoing(ctx, tx, row, {
    ...{ name: answerFile, type: 'text/markdown', content: Buffer.from(text) },
  })
}

function answerText({
  text,
  error,
  outcome,
}: {
  readonly text: string | null
  readonly error: string | null
  readonly outcome: 'done' | 'failed'
}): string {
  const words = [text, error === null ? null : `It failed: ${error}`].filter(Boolean)
  if (words.length > 0) return words.join('\n\n')
  return outcome === 'done' ? 'The turn ended without words.' : 'The turn failed.'
}

/** Cards of a change request show it as it is, in whichever thread they stand. */
async function changeRequestMoved(
  ctx: Following,
  tx: Db,
  { type, project_id, data }: PlatformEventRow,
): Promise<void> {
  const cr_id = data['cr_id']
  if (project_id === null || typeof cr_id !== 'string' || type === 'cr.opened') return
  const code = data['code']
  const footer = type === 'cr.merge_failed' && typeof code === 'string' ? `Not merged: ${code}` : undefined
  await redrawChangeRequest(ctx, tx, { project_id, cr_id }, footer)
}

async function closeApproval(
  ctx: Following,
  tx: Db,
  { thread_id }: ChannelThreadRow,
  { call_id, status }: EventData<'approval.decided'>,
): Promise<void> {
  const card = await channelMessages.lockBySubject(tx, { thread_id, subject_key: `approval:${call_id}` })
  if (card !== undefined) await closeCard(ctx, tx, card, `It is ${status.replaceAll('_', ' ')}`)
}
