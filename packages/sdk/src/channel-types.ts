import type { channelLinks, channels } from '@svc/contract'
import type { z } from 'zod'
import type { BodyOf, QueryOf } from './http/route.ts'

/** A chat or a mailbox from which people use agents. */
export type Channel = z.output<typeof channels.Channel>
export type ChannelPlatform = Channel['platform']
export type ChannelPolicy = Channel['policy']
/** A union on `platform`. */
export type ConnectChannelInput = BodyOf<typeof channels.connectChannel>
export type UpdateChannelInput = BodyOf<typeof channels.updateChannel>
export type ChannelTest = z.output<typeof channels.ChannelTest>
/** A thread with the session that it is bound to. */
export type ChannelThread = z.output<typeof channels.ChannelThread>
export type ListChannelThreadsQuery = QueryOf<typeof channels.listChannelThreads>
/** A message or an action that arrived, and what became of it. */
export type ChannelDelivery = z.output<typeof channels.ChannelDelivery>
export type ListChannelDeliveriesQuery = QueryOf<typeof channels.listChannelDeliveries>
export type DecideChannelDeliveryInput = BodyOf<typeof channels.decideChannelDelivery>
/** A message that is sent, without its text. */
export type ChannelMessage = z.output<typeof channels.ChannelMessage>
export type ListChannelMessagesQuery = QueryOf<typeof channels.listChannelMessages>
/** A file that goes along with a message: up to 10 of 20 MiB, 50 MiB together. */
export interface SentFile {
  readonly name: string
  /** `application/octet-stream` when not given. */
  readonly type?: string
  readonly content: Uint8Array<ArrayBuffer> | Blob
}
export type SendChannelMessageInput = BodyOf<typeof channels.sendChannelMessage> & {
  readonly files?: readonly SentFile[]
}
/** A sender who acts as a person of the account. */
export type ChannelLink = z.output<typeof channels.ChannelLink>
export type ListLinksOfChannelQuery = QueryOf<typeof channels.listLinksOfChannel>
export type ChannelLinkPreview = z.output<typeof channelLinks.ChannelLinkPreview>
