import { describe, expect, it } from 'vitest'
import { UsageError } from '../failures.ts'
import type { AgentRequest } from './agent-request.ts'
import { answerTo, type GivenAnswer } from './answer-to.ts'

const permission: AgentRequest = { kind: 'permission', id: 'p', permission: 'bash', patterns: ['rm *'] }
const question: AgentRequest = {
  kind: 'question',
  id: 'q',
  questions: [
    { text: 'Which colour?', options: ['Red', 'Blue'] },
    { text: 'How many?', options: [] },
  ],
}

const fitting: [AgentRequest, GivenAnswer, object][] = [
  [permission, { answers: ['always'] }, { reply: 'always' }],
  [permission, { answers: ['r'], message: 'Not that' }, { reply: 'reject', message: 'Not that' }],
  [permission, { answers: [], reject: true }, { reply: 'reject' }],
  [question, { answers: ['2', 'about ten'] }, { answers: [['Blue'], ['about ten']] }],
  [question, { answers: ['red, blue', '7'] }, { answers: [['Red', 'Blue'], ['7']] }],
  [question, { answers: [], reject: true }, { reject: true }],
]

const misused: [AgentRequest, GivenAnswer, string][] = [
  [permission, { answers: [] }, 'answer with once, always or reject'],
  [permission, { answers: ['once', 'always'] }, 'answer with once, always or reject'],
  [permission, { answers: ['once'], message: 'x' }, '--message goes with'],
  [question, { answers: ['1', '2'], message: 'x' }, '--message goes with'],
  [question, { answers: ['Blue'] }, 'the agent asks 2 questions: 1. Which colour? 2. How many?'],
]

describe('an answer from the command line', () => {
  it.each(fitting)('%j takes %j', (request, given, body) => {
    expect(answerTo(request, given)).toEqual(body)
  })

  it.each(misused)('%j does not take %j', (request, given, words) => {
    expect(() => answerTo(request, given)).toThrow(UsageError)
    expect(() => answerTo(request, given)).toThrow(words)
  })
})
