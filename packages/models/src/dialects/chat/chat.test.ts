import { describe, expect, test } from 'vitest'
import { noUsage } from '../../calls/usage.ts'
import { parseBody } from '../kit/body.ts'
import { eventText, type StreamEvent } from '../kit/stream-event.ts'
import { chat } from './dialect.ts'
import { chatUsage, chatUsageText } from './usage.ts'

const messages = [{ role: 'user', content: 'hi' }]
const body = (fields: object) => parseBody(JSON.stringify({ model: 'gpt', messages, ...fields }))
const read = (fields: object) => chat.read(body(fields))
const edited = (fields: object, output_limit: number | null = null, more = {}): unknown =>
  JSON.parse(chat.edit(body(fields), { model: 'up', output_limit, ...more }))

describe('a request', () => {
  test('says what admission needs', () => {
    expect(read({ stream: true, n: 2, max_tokens: 9, tools: [{ type: 'function' }] })).toMatchObject({
      model: 'gpt',
      stream: true,
      n: 2,
      output_limit: 9,
      size: { has_tools: true, inline_images: 0, unsized_media: 0 },
      unbounded: [],
      asks_usage: false,
    })
    expect(read({ model: 'auto' }).model).toBeNull()
    expect(read({ messages: [{ role: 'user', content: 'ü' }] }).size.text_bytes).toBe(
      Buffer.byteLength('{"model":"gpt","messages":[{"role":"user","content":"ü"}]}'),
    )
  })

  test('counts images by whether their bytes are there', () => {
    const image = (url: string) => ({ type: 'image_url', image_url: { url } })
    const content = [image('data:image/png;base64,AA=='), image('https://a.example/b.png')]
    expect(read({ messages: [{ role: 'user', content }] }).size).toMatchObject({
      inline_images: 1,
      unsized_media: 1,
    })
  })

  test.each([
    [{ tools: [{ type: 'function' }, { type: 'web_search' }] }, 'tools.1'],
    [{ web_search_options: {} }, 'web_search_options'],
    [{ modalities: ['text', 'audio'] }, 'modalities'],
    [{ service_tier: 'priority' }, 'service_tier'],
    [{ models: ['a', 'b'] }, 'models'],
    [
      { messages: [{ content: [{ type: 'file', file: { file_id: 'f' } }] }] },
      'messages.0.content.0.file.file_id',
    ],
    [{ messages: [{ content: [{ type: 'input_audio' }] }] }, 'messages.0.content.0.input_audio'],
  ])('%j has a cost that nothing bounds: %s', (fields, field) =>
    expect(read(fields).unbounded).toEqual([field]),
  )

  test.each([
    [{ messages: [] }, 'messages'],
    [{ max_tokens: '5' }, 'max_tokens'],
    [{ max_tokens: 0 }, 'max_tokens'],
    [{ n: 1.5 }, 'n'],
    [{ stream: 'yes' }, 'stream'],
    [{ model: 5 }, 'model'],
  ])('%j is refused by its field %s', (fields, field) =>
    expect(() => read(fields)).toThrow(
      expect.objectContaining({ code: 'invalid_request', details: { field } }),
    ),
  )
})

describe('a body that is passed', () => {
  test('changes in the model alone', () => {
    expect(edited({ max_tokens: 5, seed: 1 })).toEqual({ model: 'up', messages, max_tokens: 5, seed: 1 })
  })

  test('has the clamped limit under the provider’s name', () => {
    expect(edited({}, 7)).toEqual({ model: 'up', messages, max_completion_tokens: 7 })
    expect(edited({ max_tokens: 50 }, 7, { output_limit_field: 'max_tokens' })).toEqual({
      model: 'up',
      messages,
      max_tokens: 7,
    })
    expect(edited({ max_tokens: 50, max_completion_tokens: 60 }, 7)).toEqual({
      model: 'up',
      messages,
      max_completion_tokens: 7,
    })
  })

  test('asks for usage at the end of a stream', () => {
    expect(edited({ stream: true, stream_options: { other: 1 } })).toMatchObject({
      stream_options: { other: 1, include_usage: true },
    })
    expect(edited({ stream: false })).not.toHaveProperty('stream_options')
  })
})

describe('usage', () => {
  test('counts cached input in, and goes back to the wire as it came', () => {
    const wire = {
      prompt_tokens: 10,
      completion_tokens: 6,
      total_tokens: 16,
      prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
      completion_tokens_details: { reasoning_tokens: 3 },
    }
    const usage = chatUsage(wire)
    expect(usage).toEqual({
      ...noUsage,
      input_tokens: 10,
      output_tokens: 6,
      cache_read_tokens: 4,
      cache_write_tokens: 2,
      reasoning_tokens: 3,
    })
    expect(chatUsageText(usage ?? noUsage)).toEqual(wire)
  })

  test('adds reasoning where the total says that it is beside the completion', () => {
    const said = {
      prompt_tokens: 10,
      completion_tokens: 6,
      completion_tokens_details: { reasoning_tokens: 9 },
    }
    expect(chatUsage({ ...said, total_tokens: 25 })?.output_tokens).toBe(15)
    expect(chatUsage({ ...said, total_tokens: 16 })?.output_tokens).toBe(9)
  })

  test.each([undefined, null, {}, 5])('%j is none', (said) => expect(chatUsage(said)).toBeNull())
})

test('a whole answer gives its usage, its end and all that was written', () => {
  const message = {
    content: 'text',
    reasoning_content: 'why',
    tool_calls: [{ function: { name: 'f', arguments: '{}' } }],
  }
  const choices = [{ message, finish_reason: 'tool_calls' }]
  expect(chat.readAnswer({ choices, usage: { prompt_tokens: 1, completion_tokens: 2 } })).toMatchObject({
    usage: { input_tokens: 1, output_tokens: 2 },
    finish: 'tool_calls',
    output: ['text', 'why', 'f', '{}'],
  })
})

describe('a stream', () => {
  const chunk = (fields: object): StreamEvent => ({
    data: JSON.stringify({ id: 'c1', created: 5, model: 'm', ...fields }),
  })
  const delta = (of: object, finish_reason: string | null = null) =>
    chunk({ choices: [{ index: 0, delta: of, finish_reason }] })
  const last = chunk({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } })

  test('counts what is written, and withholds the usage that the client did not ask for', () => {
    for (const asks_usage of [true, false]) {
      const follower = chat.follow({ asks_usage })
      expect(follower.read(delta({ content: 'a' })).output).toEqual(['a'])
      expect(
        follower.read(delta({ tool_calls: [{ index: 0, function: { arguments: '{"' } }] })).output,
      ).toEqual(['{"'])
      follower.read(delta({}, 'stop'))
      expect(follower.read(last)).toMatchObject({ is_withheld: !asks_usage, output_tokens: 2 })
      expect(follower.hasEnded()).toBe(false)
      follower.read({ data: '[DONE]' })
      expect([follower.hasEnded(), follower.finish(), follower.usage()?.output_tokens]).toEqual([
        true,
        'stop',
        2,
      ])
    }
  })

  test('that is cut ends as one that reached its limit', () => {
    const follower = chat.follow({ asks_usage: true })
    follower.read(delta({ content: 'a' }))
    const svc = { code: 'budget_exceeded' }
    const [end, usage, done] = follower.cut({ usage: { ...noUsage, input_tokens: 3, output_tokens: 4 }, svc })
    expect(JSON.parse(end?.data ?? '')).toEqual({
      id: 'c1',
      created: 5,
      model: 'm',
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta: {}, finish_reason: 'length' }],
      svc,
    })
    expect(JSON.parse(usage?.data ?? '')).toMatchObject({ choices: [], usage: { total_tokens: 7 }, svc })
    expect(eventText(done ?? end ?? last)).toBe('data: [DONE]\n\n')
    expect(chat.follow({ asks_usage: false }).cut({ usage: noUsage, svc })).toHaveLength(2)
  })

  test('that fails ends with its error', () => {
    const refusal = { status: 504, code: 'model_deadline', message: 'late', details: { deadline: 'total' } }
    const [error, done] = chat.follow({ asks_usage: false }).fail(refusal)
    expect(JSON.parse(error?.data ?? '')).toMatchObject({
      error: { code: 'model_deadline', type: 'server_error', deadline: 'total' },
      deadline: 'total',
      status: 504,
    })
    expect(done).toEqual({ data: '[DONE]' })
  })

  test('tells a provider’s own error, and is not disturbed by what is no JSON', () => {
    const follower = chat.follow({ asks_usage: false })
    expect(follower.read({ data: '{"error":{"code":"x","message":"no"}}' }).error).toEqual({
      code: 'x',
      message: 'no',
    })
    expect(follower.read({ data: '{"half' }).error).toBeNull()
  })
})

test('a refusal has the shape of its dialect and the platform’s fields beside', () => {
  const details = { field: 'tools.0', by: 'project' }
  expect(chat.refusal({ status: 400, code: 'cost_not_bounded', message: 'no', details }, 'r1')).toEqual({
    error: {
      ...details,
      message: 'no',
      type: 'invalid_request_error',
      code: 'cost_not_bounded',
      param: 'tools.0',
    },
    ...details,
    message: 'no',
    status: 400,
    code: 'cost_not_bounded',
  })
})
