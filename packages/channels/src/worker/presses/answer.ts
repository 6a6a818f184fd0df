import { type AskReply, askReply, isReply } from '@svc/channel'
import { channelPresses, channelSubjects, type MessageSubject } from '@svc/db/channels'
import { ServiceError } from '@svc/errors'
import { answerAsk } from '@svc/services'
import type { ChannelWorkerContext } from '../../context.ts'
import { decided } from '../../log/decide-writer.ts'
import { closeCard } from '../cards.ts'
import { type Act, acceptWith } from './act.ts'

/**
 * Gives the agent the answer of a press. A press that is taken up again may have been the one that answered: where the
 * agent says that it took this very answer, all that is left is to write so.
 */
export async function answerByPress(
  ctx: ChannelWorkerContext,
  one: Act,
  { session_id, request_id }: Extract<MessageSubject, { type: 'ask' }>,
): Promise<void> {
  const { channel, delivery, action, person, card, link } = one
  const isAgain = delivery.act_began_at !== null
  const ask = await channelSubjects.ask(ctx.db, session_id, request_id)
  const reply = ask === undefined ? null : askReply(ask, action)
  const isTaken = reply !== null && ask?.taken != null && isReply(reply, ask.taken)
  if (ask === undefined || (ask.state !== 'asked' && !(isAgain && isTaken))) throw decided(card)
  if (reply === null)
    throw new ServiceError(
      'invalid_request',
      'The box is empty; write the answer into it, then press the button',
    )
  if (ask.state === 'asked') {
    await channelPresses.beginAct(ctx.db, delivery.delivery_id, ctx.now())
    const input = { project_id: channel.project_id, session_id, request_id, answer: reply }
    await answerAsk(person, input).catch((error: unknown) => {
      if (!isAgain || !(error instanceof ServiceError) || error.code !== 'ASK_NOT_PENDING') throw error
      // Tried again: the event that says whose answer the agent took is on its way.
      throw new ServiceError(
        'sandbox_unreachable',
        'The agent has an answer and has not said which; try again',
      )
    })
  }
  await ctx.db.transaction().execute(async (tx) => {
    await acceptWith(ctx, tx, one)
    await closeCard(ctx, tx, card, `${link.display}: ${phraseOf(reply)}`.slice(0, 300))
  })
}

const phraseOf = (reply: AskReply): string =>
  'reply' in reply ? reply.reply : 'reject' in reply ? 'reject' : (reply.answers[0]?.[0] ?? '')
