import { expect, test } from 'vitest'
import { readRequest } from './request.ts'

const bot = { user_id: 'U1' }
const read = (type: string, body: string) =>
  readRequest({ headers: new Headers({ 'content-type': type }), body: Buffer.from(body), bot })
const json = 'application/json'
const form = 'application/x-www-form-urlencoded'
const nothing = { kind: 'nothing' }

test('the documented challenge', () => {
  const challenge = '3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P'
  const body = { token: 'Jhj5dZrVaK7ZwHHjRyZWjbDl', challenge, type: 'url_verification' }
  expect(read(json, JSON.stringify(body))).toEqual({ kind: 'challenge', challenge })
})

test('an event', () => {
  const event = { type: 'channel_left', channel: 'C1' }
  const body = JSON.stringify({ type: 'event_callback', team_id: 'T1', event_id: 'Ev1', event })
  expect(read(`${json}; charset=utf-8`, body)).toMatchObject({
    kind: 'received',
    received: [{ platform_id: 'Ev1', body: { kind: 'membership', joined: false } }],
  })
})

test.each([
  ['the check of the certificate', form, 'ssl_check=1&token=x'],
  ['a slash command', form, 'command=%2Fx&text=y'],
  ['a press that is none of ours', form, 'payload=%7B%22type%22%3A%22block_actions%22%7D'],
  ['a payload that is no JSON', form, 'payload=%7B'],
  ['an event of no use', json, '{"type":"event_callback"}'],
  ['no JSON', json, '{'],
  ['no body', json, ''],
])('%s is nothing', (_name, type, body) => expect(read(type, body)).toEqual(nothing))
