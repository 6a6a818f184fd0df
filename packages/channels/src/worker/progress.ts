import { counted } from '@svc/facts'
import type { Outgoing } from '@svc/channel'
import type { Db } from '@svc/db'
import {
  channelMessages,
  type ChannelRow,
  channelSubjects,
  channelThreads,
  type ChannelThreadRow,
} from '@svc/db/channels'
import type { ChannelWorkerContext } from '../context.ts'
import { settleAsks } from './cards.ts'

/** Threads that one look takes up. */
const batch = 500

/** Shows in the thread that a turn is on its way; one that is shown already goes on. */
export async function beginProgress(
  ctx: Pick<ChannelWorkerContext, 'now' | 'newId'>,
  tx: Db,
  { platform }: Pick<ChannelRow, 'platform'>,
  thread: ChannelThreadRow & { readonly session_id: string },
  { prompt_id, queued }: { readonly prompt_id: string | null; readonly queued: boolean },
): Promise<void> {
  if (thread.progress_message_id !== null) return
  const { session_id, thread_id } = thread
  const text = queued ? 'There is no room for a session now; this one starts when there is.' : 'On my way …'
  if (platform === 'email') {
    // A mail cannot be edited: it is sent for what stays so.
    const notice = { message_id: ctx.newId(), kind: 'notice' as const, body: { text } }
    if (queued) await channelMessages.append(tx, thread, notice, ctx.now())
    return
  }
  const message = await channelMessages.append(
    tx,
    thread,
    {
      ...{ message_id: ctx.newId(), kind: 'progress', body: working(text) },
      subject: { type: 'progress', session_id, prompt_id },
    },
    ctx.now(),
  )
  if (message !== undefined) await channelThreads.setProgress(tx, thread_id, message.message_id)
}

const working = (text: string): Outgoing => ({
  text,
  buttons: [{ id: 'stop', label: 'Stop', style: 'danger' }],
})

/** Edits what threads show of turns that run, where there is something new; and cards of asks that were answered elsewhere. */
export async function showProgress(ctx: ChannelWorkerContext): Promise<void> {
  const threads = await channelThreads.inProgress(ctx.db, batch)
  const turns = await channelSubjects.turns(
    ctx.db,
    threads.flatMap(({ session_id }) => (session_id === null ? [] : [session_id])),
  )
  const now = ctx.now()
  for (const { session_id, progress_message_id } of threads) {
    const turn = session_id === null ? undefined : turns.get(session_id)
    if (turn === undefined || progress_message_id === null) continue
    const text = progressText(turn, now)
    if (text !== null) await channelMessages.edit(ctx.db, progress_message_id, { body: working(text), now })
  }
  await settleAsks(ctx)
}

/** The state of a turn in a line: minutes and the last tool by name, never what went in or came out. Null before it begins. */
function progressText(
  { status, began_at, ended_at, tool, asks }: channelSubjects.Turn,
  now: Date,
): string | null {
  if (status !== 'running') return status === 'provisioning' ? 'Its sandbox is on the way …' : null
  if (began_at === null || ended_at !== null) return null
  if (asks) return 'Waits for an answer'
  const minutes = Math.floor((now.getTime() - began_at.getTime()) / 60_000)
  return [`Works on it`, minutes === 0 ? null : `${minutes} min`, tool].filter(Boolean).join(' · ')
}

/** The last words of the message that showed a turn: it is edited no more. */
export async function endProgress(
  ctx: Pick<ChannelWorkerContext, 'now'>,
  tx: Db,
  { thread_id, progress_message_id }: ChannelThreadRow,
  text: string,
): Promise<void> {
  if (progress_message_id === null) return
  await channelMessages.edit(tx, progress_message_id, { body: { text }, now: ctx.now() })
  await channelThreads.setProgress(tx, thread_id, null)
}

/** The end of a turn, in a line. */
export function turnLine(turn: channelSubjects.Turn | undefined, outcome: 'done' | 'failed'): string {
  const word = outcome === 'done' ? 'Done' : 'Failed'
  if (!turn?.began_at) return word
  const seconds = Math.round(((turn.ended_at ?? turn.began_at).getTime() - turn.began_at.getTime()) / 1000)
  const time = seconds < 60 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
  const tools = turn.tools === 0 ? null : counted(turn.tools, 'tool call')
  return [word, `in ${time}`, tools].filter(Boolean).join(' · ').replace(' · in', ' in')
}
