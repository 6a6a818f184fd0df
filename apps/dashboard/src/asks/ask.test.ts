import { expect, test } from 'vitest'
import { answersOf, askTitle, readQuestions } from './ask.ts'

const ask = (...questions: readonly unknown[]) => ({ kind: 'question', request_id: 'q', questions }) as const

test('questions are read as far as they can be', () => {
  const options = [
    { label: 'Blue', description: 'as the sky' },
    'Red',
    { label: 'Red ', description: 'Red ' },
    7,
  ]
  expect(
    readQuestions(
      ask({ question: 'Which?', options, multiple: true }, 'Odd?', { header: 'Free' }, { odd: 1 }),
    ),
  ).toEqual([
    {
      text: 'Which?',
      options: [
        { label: 'Blue', description: 'as the sky' },
        { label: 'Red', description: null },
        { label: 'Red ', description: null },
      ],
      multiple: true,
    },
    { text: 'Odd?', options: [], multiple: false },
    { text: 'Free', options: [], multiple: false },
    { text: '{"odd":1}', options: [], multiple: false },
  ])
})

test('an answer has labels for each question, or is none yet', () => {
  const questions = readQuestions(ask({ question: 'One', options: ['a'] }, { question: 'Two' }))
  const picked = { picked: ['a'], own: '' }
  expect(answersOf(questions, [picked])).toBeNull()
  expect(answersOf(questions, [picked, { picked: [], own: '  ' }])).toBeNull()
  expect(answersOf(questions, [picked, { picked: [], own: ' mine ' }])).toEqual([['a'], ['mine']])
})

test('an ask is called by what it asks', () => {
  expect(askTitle(ask({ question: 'Which?' }))).toBe('Which?')
  expect(askTitle(ask())).toBe('A question')
  const permission = { kind: 'permission', request_id: 'p', permission: 'bash', patterns: ['ls'] } as const
  expect(askTitle(permission)).toBe('Permission to use bash')
})
