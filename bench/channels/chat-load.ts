import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'

export const tokens = { bot_token: 'xoxb-bench' } as const
export const signingSecret = 'bench-signing-secret'

/** The workspace in whose name events are sent. */
export interface Chat {
  readonly team: string
  readonly app: string
  readonly bot: string
  readonly conversation: string
  readonly users: readonly string[]
}

export interface ChatLoad {
  readonly messages: number
  readonly seconds: number
}

/**
 * Sends messages at a steady pace, each as Slack does with a mention: as `app_mention` and as `message`, with two ids. The
 * milliseconds to each acknowledgement, and how many were none.
 */
export async function sendMessages(
  url: string,
  chat: Chat,
  { messages, seconds }: ChatLoad,
): Promise<{ readonly times: readonly number[]; readonly refused: number }> {
  const dispatcher = new Agent({ connections: 64 })
  const times: number[] = []
  let refused = 0
  const began = performance.now()
  const epoch = Math.floor(Date.now() / 1000)
  const roots = new Map<string, string>()
  const post = async (body: string) => {
    const at = performance.now()
    const timestamp = String(Math.floor(Date.now() / 1000))
    const signature = createHmac('sha256', signingSecret).update(`v0:${timestamp}:${body}`).digest('hex')
    const headers = {
      'content-type': 'application/json',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': `v0=${signature}`,
    }
    const answer = await request(url, { method: 'POST', dispatcher, headers, body })
    await answer.body.dump()
    times.push(performance.now() - at)
    if (answer.statusCode !== 200) refused += 1
  }
  const sent: Promise<void>[] = []
  for (let n = 0; n < messages; n += 1) {
    await sleep(Math.max(0, began + ((seconds * 1000) / messages) * n - performance.now()))
    const user = chat.users[n % chat.users.length] ?? ''
    const ts = `${epoch}.${String(n).padStart(6, '0')}`
    const root = roots.get(user)
    roots.set(user, root ?? ts)
    const said = {
      ...{ user, ts, channel: chat.conversation, team: chat.team, event_ts: ts, channel_type: 'channel' },
      ...{ text: `<@${chat.bot}> message ${n}`, ...(root !== undefined && { thread_ts: root }) },
    }
    for (const type of ['app_mention', 'message'])
      sent.push(
        post(
          JSON.stringify({
            ...{ token: 'bench', team_id: chat.team, api_app_id: chat.app, type: 'event_callback' },
            ...{ event: { type, ...said }, event_id: `Ev${epoch}${n}${type}`, event_time: epoch },
            authorizations: [{ team_id: chat.team, user_id: chat.bot, is_bot: true }],
          }),
        ),
      )
  }
  await Promise.all(sent)
  await dispatcher.close()
  return { times, refused }
}
