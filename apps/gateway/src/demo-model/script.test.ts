import { describe, expect, test } from 'vitest'
import type { ChatRequest } from '../chat-request.ts'
import { nextStep } from './script.ts'

type Messages = ChatRequest['messages']

const tools = ['write', 'bash', 'question'].map((name) => ({
  type: 'function',
  function: {
    name,
    parameters: { properties: { [name === 'write' ? 'filePath' : 'command']: { type: 'string' } } },
  },
}))

const user = (content: string): Messages => [{ role: 'user', content }]

/** Plays a turn to its end: each call is answered by the tools of the test. */
function play(messages: Messages, answers: readonly string[]) {
  const calls: { tool: string; input: Record<string, unknown> }[] = []
  const said: string[] = []
  const all = [...messages]
  for (let round = 0; round < 10; round += 1) {
    const step = nextStep({ messages: all, tools })
    if (step.text !== '') said.push(step.text)
    if (step.call === null) break
    const { tool, input } = step.call
    calls.push({ tool, input: { ...input } })
    const id = `call-${all.length}`
    all.push({
      role: 'assistant',
      content: step.text,
      tool_calls: [{ id, function: { name: tool, arguments: JSON.stringify(input) } }],
    })
    all.push({ role: 'tool', tool_call_id: id, content: answers[calls.length - 1] ?? '' })
  }
  return { calls, said, messages: all, end: said.at(-1) ?? '' }
}

const worked = [
  'Wrote file successfully.',
  'pushed abc1234\n',
  'Opened #7  Add a health check\nhead -> main\n',
]

describe('the usual script', () => {
  const first = play(user('Add a health check\n\nIt should answer 200.'), worked)

  test('writes a file, pushes it and opens a change request', () => {
    expect(first.calls.map(({ tool }) => tool)).toEqual(['write', 'bash', 'bash'])
    expect(first.calls[0]?.input).toMatchObject({ filePath: 'notes/add-a-health-check.md' })
    expect(String(first.calls[0]?.input.content)).toContain('> It should answer 200.')
    expect(String(first.calls[1]?.input.command)).toMatch(
      /^git add -A && git commit -qm 'Add a health check' && git push -q/,
    )
    expect(first.calls[2]?.input).toMatchObject({ command: "svc cr open --title 'Add a health check'" })
  })

  test('ends with what the tools said, and says that it is a script', () => {
    expect(first.end).toMatch(/^\[scripted demo model\] /)
    expect(first.end).toContain('abc1234')
    expect(first.end).toContain('Opened #7  Add a health check')
    expect(first.end).toContain('no AI')
  })

  test('a later request amends the same file and opens no second change request', () => {
    const before: Messages = [...first.messages, { role: 'assistant', content: first.end }]
    const again = play(
      [...before, ...user('Please also answer HEAD')],
      ['Wrote file successfully.', 'pushed def5678'],
    )
    expect(again.calls.map(({ tool }) => tool)).toEqual(['write', 'bash'])
    expect(again.calls[0]?.input).toMatchObject({ filePath: 'notes/add-a-health-check.md' })
    const content = String(again.calls[0]?.input.content)
    expect(content).toContain('> Add a health check')
    expect(content).toContain('> Please also answer HEAD')
    expect(again.end).toContain('def5678')
  })

  test.each([
    [['permission denied'], 1, 'writing'],
    [['Wrote file successfully.', 'fatal: could not read from remote'], 2, 'pushing'],
    [['Wrote file successfully.', 'pushed abc1234', 'svc: HTTP 403'], 3, 'change request'],
  ])('stops honestly when a tool fails: %j', (answers, count, place) => {
    const failed = play(user('Add a health check'), answers)
    expect(failed.calls).toHaveLength(count)
    expect(failed.end).toContain('I stopped')
    expect(failed.end).toContain(place)
    expect(failed.end).toContain(answers.at(-1))
  })

  test('a request that names a file gets that file', () => {
    const { calls } = play(user('Add a file NOTES.md that says what this is for.'), worked)
    expect(calls[0]?.input).toMatchObject({ filePath: 'NOTES.md' })
  })

  test('a request cannot break out of its shell word or its file', () => {
    const { calls } = play(user("Don't'; rm -rf / #\n> quoted"), worked)
    expect(String(calls[1]?.input.command)).toContain("'Don'\\''t'\\''; rm -rf / #'")
    expect(calls[0]?.input).toMatchObject({ filePath: 'notes/don-t-rm-rf.md' })
  })

  test('the path goes by the name that the tool gives it', () => {
    const other = [
      ...tools.slice(1),
      { function: { name: 'write', parameters: { properties: { path: {}, content: {} } } } },
    ]
    expect(nextStep({ messages: user('Add x'), tools: other }).call?.input).toHaveProperty(
      'path',
      'notes/add-x.md',
    )
  })

  test('calls no tool that is not offered', () => {
    const step = nextStep({ messages: user('Add x'), tools: tools.slice(1) })
    expect(step.call).toBeNull()
    expect(step.text).toContain('without the tools write')
  })
})

describe('a script in the request', () => {
  const script = (steps: unknown) =>
    user(`Do this:\n\`\`\`svc-script\n${typeof steps === 'string' ? steps : JSON.stringify(steps)}\n\`\`\``)

  test('is played step by step, one tool a completion', () => {
    const steps = [
      { say: 'First a look.' },
      { tool: 'bash', input: { command: 'ls' } },
      { tool: 'bash', input: { command: 'false' } },
      { say: 'Done.' },
    ]
    const { calls, said } = play(script(steps), ['a', 'error'])
    expect(calls).toEqual([
      { tool: 'bash', input: { command: 'ls' } },
      { tool: 'bash', input: { command: 'false' } },
    ])
    expect(said).toEqual(['First a look.', '[scripted demo model] Done.'])
  })

  test('the path goes by the name that the tool gives it', () => {
    const messages = script([{ tool: 'write', input: { filePath: 'a.txt', content: 'a' } }])
    const pi = [{ function: { name: 'write', parameters: { properties: { path: {}, content: {} } } } }]
    expect(nextStep({ messages, tools }).call?.input).toEqual({ filePath: 'a.txt', content: 'a' })
    expect(nextStep({ messages, tools: pi }).call?.input).toEqual({ path: 'a.txt', content: 'a' })
  })

  test('may ask the person', () => {
    const { calls } = play(script([{ ask: { question: 'Which colour?', options: ['Red', 'Blue'] } }]), [
      'Red',
    ])
    expect(calls[0]).toEqual({
      tool: 'question',
      input: {
        questions: [
          {
            question: 'Which colour?',
            header: 'Which colour?',
            options: [
              { label: 'Red', description: 'Red' },
              { label: 'Blue', description: 'Blue' },
            ],
          },
        ],
      },
    })
  })

  test.each([
    ['{', 'not JSON'],
    [[{ nothing: 1 }], 'Step 0'],
    [[{ tool: 'teleport' }], 'not offered'],
    [[], 'ended after 0'],
  ])('%j is answered with words', (steps, words) => {
    const { calls, end } = play(script(steps), [])
    expect(calls).toEqual([])
    expect(end).toContain(words)
    expect(end).toMatch(/^\[scripted demo model\] /)
  })
})

test('a title is asked for without tools and is short', () => {
  const messages: Messages = [
    ...user('Generate a title for this conversation:\n'),
    ...user(`Add ${'very '.repeat(40)}long`),
  ]
  const { text, call } = nextStep({ messages, tools: [] })
  expect(call).toBeNull()
  expect(text).toMatch(/^Add very/)
  expect([...text].length).toBeLessThanOrEqual(60)
})

test('any other question without tools is answered as what it is', () => {
  expect(nextStep({ messages: user('Hello'), tools: null }).text).toBe(
    '[scripted demo model] You asked: Hello',
  )
})
