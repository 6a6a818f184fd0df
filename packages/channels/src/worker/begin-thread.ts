import { channelLimits } from '@svc/channel'
import { type Db, sessionCreates, sessionPrompts, sessions } from '@svc/db'
import {
  channelDeliveries,
  type ChannelFile,
  channelFiles,
  channelMessages,
  channelThreads,
  type ChannelThreadRow,
} from '@svc/db/channels'
import { ServiceError, statusOf } from '@svc/errors'
import { createSession, oneLine } from '@svc/services'
import { firstPromptKey } from '@svc/session'
import type { ChannelWorkerContext } from '../context.ts'
import { externalKey } from '../external-key.ts'
import { threadToken, tokenHashOf } from '../mail/tokens.ts'
import { sayLeftOut } from './left-out.ts'
import { type Known, refuse } from './message.ts'
import { contextOf } from './person.ts'
import { beginProgress } from './progress.ts'
import { takeFiles } from './take-files.ts'
import { wordsFor } from './words.ts'

/**
 * Begins a thread with a session of its own. The thread plans the id of its session first, and the session says which
 * message began it: whichever step dies, the next worker goes on with the same one.
 */
export async function beginThread(
  ctx: ChannelWorkerContext,
  known: Known,
  afterDeleted: boolean,
): Promise<void> {
  const { channel, delivery, message, link } = known
  if (known.thread === undefined && (await tooMany(ctx, known))) return
  const { channel_id, account_id, project_id } = channel
  const { conversation, root } = message
  const wishes = channel.conversations[conversation]
  const plan = {
    owner_link_id: link.link_id,
    agent: wishes?.agent ?? channel.agent,
    policy: wishes?.policy ?? channel.policy,
  }
  const thread = await ctx.db.transaction().execute(async (tx) => {
    const opened = await channelThreads.open(tx, {
      ...{ thread_id: ctx.newId(), channel_id, account_id, project_id, conversation, root, ...plan },
      ...{
        external_key: externalKey(ctx, channel, message),
        session_id: null,
        planned_session_id: ctx.newId(),
      },
      ...{ progress_message_id: null, created_at: ctx.now() },
      mail_token_hash:
        channel.platform === 'email'
          ? Buffer.from(tokenHashOf(threadToken(ctx, channel, root)), 'hex')
          : null,
    })
    // It is of the person whose message begins it, also where an earlier one was refused.
    if (!afterDeleted && opened.owner_link_id === link.link_id) return opened
    const planned_session_id = afterDeleted ? ctx.newId() : opened.planned_session_id
    await channelThreads.planAnew(tx, opened.thread_id, { planned_session_id, ...plan })
    return { ...opened, ...plan, planned_session_id, session_id: null }
  })
  const waits = await sessionCreates.findBySession(ctx.db, thread.planned_session_id)
  // A session that waits for room takes no second prompt before it is there.
  if (waits !== undefined && beganBy(waits.session.metadata) !== delivery.delivery_id)
    throw new ServiceError(
      'session_starting',
      'The session of the thread waits for room; this message follows once it runs',
    )
  const files = await takeFiles(ctx, known)
  const queued = waits !== undefined || (await start(ctx, known, thread, files))
  if (queued === null) return
  await ctx.db.transaction().execute((tx) => settle(ctx, tx, { known, thread, files, queued, afterDeleted }))
}

const nameChars = 100

/** The name of the session that a message begins: the subject of a mail, else the words of the message. */
function nameFor({ text, mail }: Known['message']): string {
  const subject = oneLine(mail?.subject ?? '').replace(/^(?:re\s*:\s*)+/i, '')
  return (subject === '' ? oneLine(text) : subject).slice(0, nameChars).trim()
}

/** The message that began a session, as the session says. */
export const beganBy = (metadata: unknown): unknown =>
  typeof metadata === 'object' && metadata !== null && 'channel' in metadata
    ? (metadata.channel as { readonly delivery_id?: unknown } | null)?.delivery_id
    : undefined

/** Creates the session: true where it waits for room, null where it was refused, which the thread then says. */
async function start(
  ctx: ChannelWorkerContext,
  known: Known,
  { planned_session_id: session_id, thread_id, agent, policy }: ChannelThreadRow,
  files: readonly ChannelFile[],
): Promise<boolean | null> {
  const { channel, delivery, link, message } = known
  if ((await sessions.findById(ctx.db, session_id)) !== undefined) return false
  const person = await contextOf(ctx, channel, link)
  const { project_id, slug } = channel
  const name = nameFor(message)
  const { delivery_id } = delivery
  await channelFiles.giveTo(ctx.db, delivery_id, { session_id, prompt_key: firstPromptKey })
  try {
    const created = await createSession(person, {
      project_id,
      ...{ respond_async: true, origin: 'channel' },
      body: {
        ...{ session_id, origin_ref: thread_id, initial_prompt: await wordsFor(ctx, known, files) },
        ...(agent === null ? {} : { agent_name: agent }),
        // The prompt begins with who wrote it.
        ...(name === '' ? {} : { name }),
        metadata: { channel: { slug, thread_id, delivery_id } },
      },
    })
    if (policy === 'project_open') await share(ctx, session_id)
    return created.kind === 'queued' && created.reason === 'session_limit'
  } catch (error) {
    if (!(error instanceof ServiceError) || statusOf(error.code) >= 500) throw error
    if (error.code === 'SESSION_ID_TAKEN') return false
    await refuse(
      ctx,
      known,
      { reason: error.code, link_id: link.link_id },
      `I could not start a session: ${error.message}`,
    )
    return null
  }
}

/** Every person of the project may drive it, as its thread says. */
async function share(ctx: ChannelWorkerContext, session_id: string): Promise<void> {
  const session = await sessions.findById(ctx.db, session_id)
  if (session !== undefined && !session.holds_personal_secrets)
    await sessions.patch(ctx.db, session, { visibility: 'project', updated_at: ctx.now() })
}

interface Started {
  readonly known: Known
  readonly thread: ChannelThreadRow
  readonly files: readonly ChannelFile[]
  readonly queued: boolean
  readonly afterDeleted: boolean
}

/** Notes the end of the message, and has the thread say how it goes. */
async function settle(
  ctx: ChannelWorkerContext,
  tx: Db,
  { known, thread, files, queued, afterDeleted }: Started,
): Promise<void> {
  const { channel, delivery, link } = known
  const { thread_id, planned_session_id: session_id } = thread
  const first = queued
    ? undefined
    : await sessionPrompts.findByDedupeKey(tx, { session_id, dedupe_key: firstPromptKey })
  const prompt_id = first?.prompt_id ?? null
  const facts = { now: ctx.now(), thread_id, link_id: link.link_id, prompt_id }
  const locked = await channelThreads.lock(tx, thread_id)
  if (locked === undefined || !(await channelDeliveries.move(tx, delivery.delivery_id, 'accept', facts)))
    return
  await channelThreads.bind(tx, thread_id, session_id)
  if (afterDeleted)
    await channelMessages.append(
      tx,
      locked,
      {
        ...{ message_id: ctx.newId(), kind: 'notice' },
        body: { text: 'The earlier session of this thread was deleted; this is a new one.' },
      },
      ctx.now(),
    )
  await sayLeftOut(ctx, tx, locked, { delivery_id: delivery.delivery_id, files })
  await beginProgress(ctx, tx, channel, { ...locked, session_id }, { prompt_id, queued })
}

async function tooMany(ctx: ChannelWorkerContext, known: Known): Promise<boolean> {
  const { delivery, link } = known
  const since = new Date(delivery.received_at.getTime() - 3_600_000)
  if ((await channelThreads.countOf(ctx.db, link.link_id, since)) < channelLimits.sessionsPerHour)
    return false
  await refuse(
    ctx,
    known,
    { reason: 'too_many_sessions', link_id: link.link_id },
    `You began ${channelLimits.sessionsPerHour} sessions in an hour; go on in one of their threads, or wait a while.`,
  )
  return true
}
