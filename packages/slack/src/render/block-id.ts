import type { OutgoingName } from '@svc/channel'

/** Names the message in a block: a press has the block's id. Slack wants another one with each change of a message. */
export function blockId({ message_id, revision }: OutgoingName, index: number): string {
  return `svc:${message_id}:${revision}:${index}`
}

/** Null of a block that is not of a message of ours. */
export function messageIdOf(block_id: string | undefined): string | null {
  return /^svc:([^:]+):\d+:\d+$/.exec(block_id ?? '')?.[1] ?? null
}
