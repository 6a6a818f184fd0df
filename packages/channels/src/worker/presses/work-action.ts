import { writerDecisions } from '@svc/channel'
import type { Db } from '@svc/db'
import {
  channelDeliveries,
  type ChannelLinkRow,
  channelMessages,
  channelPresses,
  type MessageSubject,
} from '@svc/db/channels'
import { ServiceError, statusOf } from '@svc/errors'
import { abortSession, closeChangeRequest, mergeChangeRequest, requestChanges } from '@svc/services'
import type { ChannelWorkerContext } from '../../context.ts'
import { decided, decideWriter, requireThreadOwner } from '../../log/decide-writer.ts'
import { redrawChangeRequest } from '../cards.ts'
import { contextOf, linkOf } from '../person.ts'
import { offerLink, whisper } from '../whispers.ts'
import { type Act, acceptWith, type Pressed } from './act.ts'
import { answerByPress } from './answer.ts'
import { wasDoneBefore } from './done-before.ts'

/**
 * Works a press: the act runs by the verb of the API, in the name of who pressed, with their rights. One that was refused
 * changes nothing, and they alone are told why.
 */
export async function workAction(ctx: ChannelWorkerContext, pressed: Pressed): Promise<void> {
  const { channel, delivery, action } = pressed
  const card = await channelMessages.find(ctx.db, action.message_id)
  if (card?.channel_id !== channel.channel_id || card.subject === null) {
    await end(ctx, pressed, 'ignore', 'no_card')
    return
  }
  const link = await linkOf(ctx, channel, action.sender)
  if (link === undefined) {
    await ctx.db.transaction().execute(async (tx) => {
      const facts = { now: ctx.now(), reason: 'not_linked' }
      if (await channelDeliveries.move(tx, delivery.delivery_id, 'refuse', facts))
        await offerLink(ctx, tx, channel, action, null)
    })
    return
  }
  const person = await contextOf(ctx, channel, link)
  try {
    await act(ctx, { ...pressed, link, person, card }, card.subject)
    await end(ctx, pressed, 'accept', null, link.link_id)
  } catch (error) {
    if (!(error instanceof ServiceError) || statusOf(error.code) >= 500) throw error
    const footer = await wasDoneBefore(ctx.db, { action, link, card })
    if (footer === null) await refuse(ctx, pressed, link, error)
    else await sayDone(ctx, pressed, link, footer)
  }
}

function end(
  ctx: ChannelWorkerContext,
  { delivery }: Pressed,
  event: 'accept' | 'ignore',
  reason: string | null,
  link_id: string | null = null,
): Promise<boolean> {
  return channelDeliveries.move(ctx.db, delivery.delivery_id, event, { now: ctx.now(), reason, link_id })
}

async function refuse(
  ctx: ChannelWorkerContext,
  { channel, delivery, action }: Pressed,
  { link_id }: ChannelLinkRow,
  { code, message }: ServiceError,
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const facts = { now: ctx.now(), reason: code, link_id }
    if (!(await channelDeliveries.move(tx, delivery.delivery_id, 'refuse', facts))) return
    await whisper(ctx, tx, channel, action, { text: message, key: `press:${delivery.delivery_id}` })
  })
}

/** Tells a person who presses once more what they had done that it is done. */
async function sayDone(
  ctx: ChannelWorkerContext,
  { channel, delivery, action }: Pressed,
  { link_id }: ChannelLinkRow,
  footer: string,
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const facts = { now: ctx.now(), link_id }
    if (!(await channelDeliveries.move(tx, delivery.delivery_id, 'accept', facts))) return
    const text = `It is done as you asked. ${footer}`.trim()
    await whisper(ctx, tx, channel, action, { text, key: `press:${delivery.delivery_id}` })
  })
}

async function act(ctx: ChannelWorkerContext, one: Act, subject: MessageSubject): Promise<void> {
  const isAgain = one.delivery.act_began_at !== null
  // The turn that it was to stop is over.
  if (isAgain && subject.type === 'progress' && one.card.body.buttons === undefined) return
  // Presses in a thread are worked one after the other: the first closed it.
  if (one.card.body.buttons === undefined && !isAgain) throw decided(one.card)
  switch (subject.type) {
    case 'ask':
      return answerByPress(ctx, one, subject)
    case 'change_request':
      return changeRequest(ctx, one, subject)
    case 'writer':
      return decide(ctx, one, subject)
    case 'progress':
      await channelPresses.beginAct(ctx.db, one.delivery.delivery_id, ctx.now())
      await abortSession(one.person, { project_id: one.channel.project_id, session_id: subject.session_id })
      return
    case 'approval':
    case 'link':
      throw new ServiceError('conflict', 'This button opens a page; press it again')
  }
}

async function changeRequest(
  ctx: ChannelWorkerContext,
  one: Act,
  { cr_id, head_sha, base_sha }: Extract<MessageSubject, { type: 'change_request' }>,
): Promise<void> {
  const { channel, delivery, action, person, link } = one
  const { project_id } = channel
  const key = { project_id, cr: cr_id }
  const redraw = (tx: Db, footer?: string) => redrawChangeRequest(ctx, tx, { project_id, cr_id }, footer)
  const alsoEnd = (footer?: string) => async (tx: Db) => {
    await acceptWith(ctx, tx, one)
    await redraw(tx, footer)
  }
  try {
    await carryOut()
  } catch (error) {
    // It moved since the card was drawn: the card shows it as it is now.
    await ctx.db.transaction().execute((tx) => redraw(tx))
    throw error
  }

  async function carryOut(): Promise<void> {
    switch (action.action) {
      case 'merge':
        await mergeChangeRequest(person, {
          ...key,
          // Asked again after a crash, it is the same attempt.
          attempt_id: delivery.delivery_id,
          ...(head_sha === null ? {} : { expected_head_sha: head_sha }),
          ...(base_sha === null ? {} : { expected_base_sha: base_sha }),
        })
        await ctx.db.transaction().execute(alsoEnd())
        return
      case 'close':
        await closeChangeRequest(person, { ...key, also: alsoEnd() })
        return
      case 'request_changes': {
        const feedback = action.text?.trim() ?? ''
        if (feedback === '')
          throw new ServiceError(
            'invalid_request',
            'The box is empty; write the changes into it, then press the button',
          )
        await requestChanges(person, {
          ...key,
          feedback,
          also: alsoEnd(`Changes asked for by ${link.display}`),
        })
        return
      }
      default:
        throw new ServiceError(
          'invalid_request',
          'The card has no such button any more; use the card as it is now',
        )
    }
  }
}

/** The person who began the thread lets another speak to its agent, or does not. */
async function decide(
  ctx: ChannelWorkerContext,
  one: Act,
  { delivery_id }: Extract<MessageSubject, { type: 'writer' }>,
): Promise<void> {
  const { action, link, card } = one
  const { thread } = await requireThreadOwner(ctx.db, card.thread_id, link.user_id)
  const decision = writerDecisions.find((one) => one === action.action)
  if (decision === undefined)
    throw new ServiceError(
      'invalid_request',
      'The card has no such button any more; use the card as it is now',
    )
  const { channel_id } = card
  const facts = { channel_id, delivery_id, thread, display: link.display, decision, now: ctx.now() }
  await ctx.db.transaction().execute(async (tx) => {
    await decideWriter(tx, facts)
    await acceptWith(ctx, tx, one)
  })
}
