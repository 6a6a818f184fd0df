import { expect, test } from 'vitest'
import { mentions, namesOther, textOf, withoutMention } from './text.ts'

const bot = { user_id: '@bot:x.example', name: 'Helper (1)' }
const said = (body: string, more: object = {}) => ({ msgtype: 'm.text', body, ...more })

test.each([
  ['Helper (1): do it', 'do it'],
  ['helper (1), do it', 'do it'],
  ['@Helper (1) do it', 'do it'],
  ['@bot:x.example: do it', 'do it'],
  ['[Helper (1)](https://matrix.to/#/@bot:x.example): do it', 'do it'],
  ['@bot:x.example', ''],
])('%j names the bot', (body, text) => {
  expect(mentions(said(body), bot)).toBe(true)
  expect(withoutMention(body, bot)).toBe(text)
})

test.each([
  'Helpers do it',
  'do it, Helper (1)',
  'Helper 1: do it',
  '@bot:x.example.com: hi',
  '@bottle:x.example hi',
])('%j does not', (body) => {
  expect(mentions(said(body), bot)).toBe(false)
  expect(withoutMention(body, bot)).toBe(body)
})

test('a mention is said by the client as well', () => {
  expect(mentions(said('do it', { 'm.mentions': { user_ids: ['@bot:x.example'] } }), bot)).toBe(true)
  expect(mentions(said('do it', { 'm.mentions': { user_ids: ['@ada:x.example'] } }), bot)).toBe(false)
  expect(mentions(said('do it', { 'm.mentions': 'x' }), bot)).toBe(false)
})

const pill = (user: string) => `<a href="https://matrix.to/#/${user}">Ada</a>: hi`
test.each([
  ['@ada:x.example: hi', undefined, true],
  ['@bot:x.example: hi', undefined, false],
  ['Ada: hi', pill('@ada:x.example'), true],
  ['Ada: hi', pill('%40ada%3Ax.example'), true],
  ['Ada: hi', `<mx-reply>${pill('@bot:x.example')}</mx-reply>${pill('@ada:x.example')}`, true],
  ['Helper: hi', pill('@bot:x.example'), false],
  ['see #general', pill('#general:x.example'), false],
  ['hi Ada', `hi ${pill('@ada:x.example')}`, false],
])('%j names another: %#', (body, formatted_body, is) => {
  expect(namesOther(said(body, { formatted_body }), bot)).toBe(is)
})

test.each([
  ['a message', said('> quoted\n\nhi'), '> quoted\n\nhi'],
  [
    'a reply',
    said('> <@a:b> one\n> two\n\nhi', { 'm.relates_to': { 'm.in_reply_to': { event_id: '$1' } } }),
    'hi',
  ],
  ['a file', { msgtype: 'm.file', body: 'a.txt' }, ''],
  ['a file with its name', { msgtype: 'm.file', body: 'a.txt', filename: 'a.txt' }, ''],
  ['a file with words', { msgtype: 'm.file', body: 'look', filename: 'a.txt' }, 'look'],
  ['no text', { msgtype: 'm.text' }, ''],
])('%s', (_what, content, text) => expect(textOf(content)).toBe(text))
