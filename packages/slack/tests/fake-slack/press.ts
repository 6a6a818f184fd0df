import type { KnownBlock } from '@slack/types'
import type { FakeConversation, FakeMessage, FakeUser } from './types.ts'
import type { Workspace } from './workspace.ts'

interface Pressed {
  readonly conversation: FakeConversation
  readonly message: FakeMessage
  readonly user: FakeUser
  /** The button's id or its words. */
  readonly button: string
  /** In the text box of the message. */
  readonly text?: string | undefined
}

/** The payload of a press, as Slack documents it for messages. */
export function pressPayload(
  { team, bot, ...workspace }: Workspace,
  pressed: Pressed,
  action_ts: string,
): object {
  const { conversation, message, user, text } = pressed
  const { block_id, element } = buttonOf(message, pressed.button)
  const { name: domain } = team
  return {
    type: 'block_actions',
    user: { id: user.id, username: user.name, name: user.name, team_id: team.id },
    api_app_id: bot.app_id,
    token: 'fake',
    container: {
      type: 'message',
      message_ts: message.ts,
      channel_id: conversation.id,
      is_ephemeral: false,
      ...(message.thread_ts !== undefined && { thread_ts: message.thread_ts }),
    },
    trigger_id: `${workspace.conversations.size}.${action_ts}`,
    team: { id: team.id, domain: domain.toLowerCase() },
    enterprise: null,
    is_enterprise_install: false,
    channel: { id: conversation.id, name: conversation.name },
    message,
    state: { values: valuesOf(message, text) },
    response_url: 'https://hooks.slack.com/actions/fake',
    actions: [{ ...element, block_id, action_ts }],
  }
}

function buttonOf({ blocks = [], ts }: FakeMessage, wanted: string) {
  for (const block of blocks) {
    if (block.type !== 'actions') continue
    for (const element of block.elements) {
      if (element.type !== 'button') continue
      if (element.action_id === wanted || element.text.text === wanted)
        return { block_id: block.block_id ?? 'b1', element }
    }
  }
  throw new Error(`The message ${ts} has no button ${wanted}`)
}

function valuesOf({ blocks = [] }: FakeMessage, text: string | undefined) {
  const boxes = blocks.filter((block: KnownBlock) => block.type === 'input')
  return Object.fromEntries(
    boxes.map(({ block_id = 'b0', element }) => [
      block_id,
      { [Object(element).action_id]: { type: element.type, value: text ?? null } },
    ]),
  )
}
