import type { InboundAction } from '@svc/channel'
import type { Context } from '@svc/context'
import type { Db } from '@svc/db'
import {
  channelDeliveries,
  type ChannelDeliveryRow,
  type ChannelLinkRow,
  type ChannelMessageRow,
  type ChannelRow,
} from '@svc/db/channels'
import { ServiceError } from '@svc/errors'
import type { ChannelWorkerContext } from '../../context.ts'

export interface Pressed {
  readonly channel: ChannelRow
  readonly delivery: ChannelDeliveryRow
  readonly action: InboundAction
}

export interface Act extends Pressed {
  readonly link: ChannelLinkRow
  readonly person: Context
  readonly card: ChannelMessageRow
}

/** Ends the press in the transaction of its act: a worker that dies has done both, or neither. */
export async function acceptWith(ctx: ChannelWorkerContext, tx: Db, { delivery, link }: Act): Promise<void> {
  const facts = { now: ctx.now(), link_id: link.link_id }
  if (await channelDeliveries.move(tx, delivery.delivery_id, 'accept', facts)) return
  throw new ServiceError('conflict', 'Another worker has carried out this press; nothing is done twice')
}
