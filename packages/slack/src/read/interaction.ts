import type { Received } from '@svc/channel'
import { z } from 'zod'
import { messageIdOf } from '../render/block-id.ts'

const Button = z.object({
  type: z.literal('button'),
  action_id: z.string(),
  block_id: z.string(),
  action_ts: z.string(),
  value: z.string(),
})

const Press = z.object({
  type: z.literal('block_actions'),
  user: z.object({
    id: z.string(),
    team_id: z.string().nullish(),
    name: z.string().nullish(),
    username: z.string().nullish(),
  }),
  team: z.object({ id: z.string() }).nullish(),
  container: z.object({
    type: z.literal('message'),
    message_ts: z.string(),
    channel_id: z.string(),
    thread_ts: z.string().nullish(),
  }),
  message: z.object({ thread_ts: z.string().nullish() }).nullish(),
  actions: z.array(z.unknown()),
  state: z
    .object({ values: z.record(z.string(), z.record(z.string(), z.unknown())) })
    .nullish()
    .catch(undefined),
})

const TextBox = z.object({ type: z.literal('plain_text_input'), value: z.string().nullish() })

/** Presses of buttons of our messages. A button that opens a page has no value and gives nothing. */
export function readInteraction(payload: unknown): Received[] {
  const press = Press.safeParse(payload).data
  if (press === undefined) return []
  const { user, team, container, message, actions, state } = press
  const boxes = Object.values(state?.values ?? {}).flatMap((block) => Object.values(block))
  const text = boxes.map((box) => TextBox.safeParse(box).data?.value).find((value) => value)
  return actions.flatMap((action) => {
    const button = Button.safeParse(action).data
    const message_id = messageIdOf(button?.block_id)
    if (button === undefined || message_id === null) return []
    const ref = container.message_ts
    return {
      platform_id: `${ref}:${button.action_id}:${user.id}:${button.action_ts}`,
      message_key: null,
      body: {
        kind: 'action',
        conversation: container.channel_id,
        root: container.thread_ts ?? message?.thread_ts ?? ref,
        ref,
        sender: {
          id: user.id,
          tenant: user.team_id ?? team?.id ?? '',
          display: user.name ?? user.username ?? user.id,
        },
        message_id,
        action: button.value,
        // As it was typed: unlike texts of messages, it has no marks of Slack.
        text: text ?? null,
      },
    }
  })
}
