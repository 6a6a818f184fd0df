import { expect, it } from 'vitest'
import { chosen, replyOf } from './answer.ts'

it.each([
  ['o', 'once'],
  ['Always', 'always'],
  [' rej ', 'reject'],
  ['', null],
  ['yes', null],
])('%j is %s', (text, reply) => expect(replyOf(text)).toBe(reply))

const question = { text: 'Which?', options: ['Red', 'Blue'] }

it.each([
  ['2', ['Blue']],
  ['1, 2', ['Red', 'Blue']],
  ['blue', ['Blue']],
  ['3', ['3']],
  ['0', ['0']],
  [' green ', ['green']],
])('%j chooses %j', (reply, answers) => expect(chosen(question, reply)).toEqual(answers))
