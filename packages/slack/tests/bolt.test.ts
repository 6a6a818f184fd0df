import type { AddressInfo } from 'node:net'
import { App, LogLevel } from '@slack/bolt'
import { afterEach, expect, test } from 'vitest'
import { type FakeSlack, startFakeSlack } from './fake-slack/index.ts'

const tokens = { bot_token: 'xoxb-bolt', signing_secret: 'bolts', app_token: 'xapp-bolt' }
const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function fake(): Promise<FakeSlack> {
  const slack = await startFakeSlack(tokens)
  closers.push(slack.close)
  return slack
}

/** An app as Bolt's own pages show it: it answers a mention with a button, and a press with who pressed. */
function listen(app: App): void {
  app.event('app_mention', async ({ event, say }) => {
    const elements = [
      {
        type: 'button' as const,
        action_id: 'go',
        value: 'v1',
        text: { type: 'plain_text' as const, text: 'Go' },
      },
    ]
    await say({
      text: `Hello <@${event.user}>`,
      thread_ts: event.thread_ts ?? event.ts,
      blocks: [
        { type: 'section', text: { type: 'mrkdwn', text: 'Shall I?' } },
        {
          type: 'input',
          label: { type: 'plain_text', text: 'Why' },
          element: { type: 'plain_text_input', action_id: 'why' },
        },
        { type: 'actions', elements },
      ],
    })
  })
  app.action('go', async ({ ack, body, client, action, payload }) => {
    await ack()
    if (body.type !== 'block_actions' || action.type !== 'button' || payload.type !== 'button') return
    const [why] = Object.values(body.state?.values ?? {}).flatMap((block) => Object.values(block))
    await client.chat.update({
      channel: body.channel?.id ?? '',
      ts: body.message?.ts ?? '',
      text: `${body.user.id} pressed ${action.value}: ${why?.value}`,
      blocks: [],
    })
  })
}

async function talk(slack: FakeSlack): Promise<void> {
  const [user, conversation] = [slack.workspace.addUser('Ada'), slack.workspace.addConversation('general')]
  const ts = slack.say({ conversation, user, text: `<@${slack.bot.user_id}> hi` })
  await expect.poll(() => slack.posts(conversation, ts).length).toBe(2)
  const [, answer] = slack.posts(conversation, ts)
  expect(answer).toMatchObject({ text: `Hello <@${user.id}>`, thread_ts: ts, bot_id: slack.bot.bot_id })

  expect(await slack.press(conversation, answer?.ts ?? '', { user, button: 'Go', text: 'because' })).toBe(200)
  await expect.poll(() => answer?.text).toBe(`${user.id} pressed v1: because`)
  await slack.settled()
  expect(slack.deliveries.map(({ type, attempts, status }) => [type, attempts, status])).toEqual([
    ['app_mention', 1, 200],
    ['message', 1, 200],
    ['message', 1, 200],
    ['block_actions', 1, 200],
    ['message.message_changed', 1, 200],
  ])
}

test('an app of Bolt lives on the fake by its Events API', async () => {
  const slack = await fake()
  const app = new App({
    token: tokens.bot_token,
    signingSecret: tokens.signing_secret,
    clientOptions: { slackApiUrl: slack.api_url },
    logLevel: LogLevel.ERROR,
  })
  listen(app)
  const server = await app.start({ port: 0, host: '127.0.0.1' })
  closers.push(() => app.stop())
  const { port } = server.address() as AddressInfo
  await slack.register(`http://127.0.0.1:${port}/slack/events`)
  await talk(slack)
})

test('an app of Bolt lives on the fake by Socket Mode', async () => {
  const slack = await fake()
  const app = new App({
    token: tokens.bot_token,
    appToken: tokens.app_token,
    socketMode: true,
    clientOptions: { slackApiUrl: slack.api_url },
    logLevel: LogLevel.ERROR,
  })
  listen(app)
  await app.start()
  closers.push(() => app.stop())
  expect(slack.sockets.open).toBe(1)
  await talk(slack)
})
