import { expect, test } from 'vitest'
import { readInteraction } from './interaction.ts'

/** After the example of Slack's page "block_actions payload", with our blocks. */
const press = {
  type: 'block_actions',
  user: { id: 'U123ABC456', username: 'ada', name: 'ada', team_id: 'T123ABC456' },
  api_app_id: 'A123ABC456',
  token: 'Shh_its_a_seekrit',
  container: {
    type: 'message',
    message_ts: '1548261231.000200',
    channel_id: 'CBR2V3XEX',
    is_ephemeral: false,
    thread_ts: '1548261200.000100',
  },
  trigger_id: '12466734323.1395872398',
  team: { id: 'T123ABC456', domain: 'workspacedomain' },
  enterprise: null,
  is_enterprise_install: false,
  channel: { id: 'CBR2V3XEX', name: 'review-updates' },
  message: { type: 'message', user: 'UAAAAAAAA', text: 'x', ts: '1548261231.000200' },
  state: {
    values: { 'svc:m1:2:1': { 'svc:text': { type: 'plain_text_input', value: 'a & b' } } },
  },
  response_url: 'https://hooks.slack.com/actions/AABA1ABCD/1232321423432/D09sSasdasdAS9091209',
  actions: [
    {
      action_id: 'svc:0',
      block_id: 'svc:m1:2:2',
      text: { type: 'plain_text', text: 'View', emoji: true },
      value: 'merge',
      type: 'button',
      action_ts: '1548426417.840180',
    },
  ],
}
const [action] = press.actions
const withAction = (change: object) => ({ ...press, actions: [{ ...action, ...change }] })

test('a press of a button', () => {
  expect(readInteraction(press)).toEqual([
    {
      platform_id: '1548261231.000200:svc:0:U123ABC456:1548426417.840180',
      message_key: null,
      body: {
        kind: 'action',
        conversation: 'CBR2V3XEX',
        root: '1548261200.000100',
        ref: '1548261231.000200',
        sender: { id: 'U123ABC456', tenant: 'T123ABC456', display: 'ada' },
        message_id: 'm1',
        action: 'merge',
        text: 'a & b',
      },
    },
  ])
})

test('without a box, or with an empty one, there are no words', () => {
  for (const state of [
    undefined,
    null,
    { values: {} },
    { values: { b: { t: { type: 'plain_text_input', value: null } } } },
  ])
    expect(readInteraction({ ...press, state })).toMatchObject([{ body: { text: null } }])
})

test('a message that stands alone is its own root', () => {
  const { thread_ts: _, ...container } = press.container
  expect(readInteraction({ ...press, container })).toMatchObject([{ body: { root: '1548261231.000200' } }])
})

test.each([
  ['a button that opens a page', withAction({ value: undefined, url: 'https://x.example' })],
  ['a block of another app', withAction({ block_id: 'zjf' })],
  ['another element', withAction({ type: 'plain_text_input' })],
  ['a press in a view', { ...press, container: { type: 'view', view_id: 'V1' } }],
  ['another interaction', { ...press, type: 'view_submission' }],
  ['nothing', null],
])('%s gives nothing', (_name, payload) => expect(readInteraction(payload)).toEqual([]))
