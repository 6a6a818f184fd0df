import { channelDeliveries, channelFiles, channelThreads, type ChannelThreadRow } from '@svc/db/channels'
import type { sessions } from '@svc/db'
import { enqueueOwed, putPrompt } from '@svc/services'
import type { ChannelWorkerContext } from '../context.ts'
import { beganBy, beginThread } from './begin-thread.ts'
import { sayLeftOut } from './left-out.ts'
import type { Known } from './message.ts'
import { beginProgress } from './progress.ts'
import { takeFiles } from './take-files.ts'
import { wordsFor } from './words.ts'

/** Puts the message into the prompts of the thread's session, together with its end. */
export async function promptThread(
  ctx: ChannelWorkerContext,
  known: Known & { readonly thread: ChannelThreadRow },
  session: sessions.SessionView,
): Promise<void> {
  const { channel, delivery, link, thread } = known
  const { delivery_id } = delivery
  const { thread_id } = thread
  const { session_id } = session
  // The message that began the session is its first prompt already.
  if (thread.session_id === null && beganBy(session.metadata) === delivery_id) {
    await beginThread(ctx, known, false)
    return
  }
  const files = await takeFiles(ctx, known)
  const text = await wordsFor(ctx, known, files)
  const prompt_key = `channel:${delivery_id}`
  const put = await ctx.db.transaction().execute(async (tx) => {
    if (files.length > 0) await channelFiles.giveTo(tx, delivery_id, { session_id, prompt_key })
    const done = await putPrompt(ctx, tx, session, {
      ...{ text, source: 'channel', dedupe_key: prompt_key, by: link.user_id },
      without_room: 'keep',
    })
    if (done.kind === 'gone') return done
    const prompt_id = done.kind === 'put' ? done.prompt_id : done.prompt.prompt_id
    const facts = { now: ctx.now(), thread_id, link_id: link.link_id, prompt_id }
    const locked = await channelThreads.lock(tx, thread_id)
    if (locked?.session_id === null) await channelThreads.bind(tx, thread_id, session_id)
    if (locked && (await channelDeliveries.move(tx, delivery_id, 'accept', facts))) {
      await sayLeftOut(ctx, tx, locked, { delivery_id, files })
      await beginProgress(ctx, tx, channel, { ...locked, session_id }, { prompt_id, queued: false })
    }
    return done
  })
  if (put.kind === 'put') await enqueueOwed(ctx, put.jobs)
  if (put.kind === 'gone') await beginThread(ctx, known, true)
}
