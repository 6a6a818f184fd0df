import { describe, expect, test } from 'vitest'
import { noUsage } from '../../calls/usage.ts'
import { parseBody } from '../kit/body.ts'
import { messages } from './dialect.ts'
import { messageUsage, messageUsageText } from './usage.ts'

const prompt = [{ role: 'user', content: 'hi' }]
const body = (fields: object) =>
  parseBody(JSON.stringify({ model: 'claude', max_tokens: 8_000, messages: prompt, ...fields }))
const read = (fields: object) => messages.read(body(fields))
const part = (block: object) => ({ messages: [{ role: 'user', content: [block] }] })
const edited = (fields: object, output_limit: number | null): unknown =>
  JSON.parse(messages.edit(body(fields), { model: 'up', output_limit }))

describe('a request', () => {
  test('says what admission needs', () => {
    expect(read({ stream: true, tools: [{ name: 'f', input_schema: {} }] })).toMatchObject({
      model: 'claude',
      stream: true,
      n: 1,
      output_limit: 8_000,
      size: { has_tools: true },
      unbounded: [],
      caches_1h: false,
    })
    expect(
      read(part({ type: 'text', text: 'a', cache_control: { type: 'ephemeral', ttl: '1h' } })).caches_1h,
    ).toBe(true)
  })

  test('weighs media, those in results of tools as well', () => {
    const inner = { type: 'image', source: { type: 'base64', data: 'AA' } }
    expect(read(part({ type: 'tool_result', content: [inner] })).size.inline_images).toBe(1)
    expect(read(part({ type: 'image', source: { type: 'url', url: 'u' } })).size.unsized_media).toBe(1)
    expect(read(part({ type: 'document', source: { type: 'base64', data: 'AA' } })).size.unsized_media).toBe(
      1,
    )
    expect(read(part({ type: 'document', source: { type: 'text', data: 'a' } })).size.unsized_media).toBe(0)
  })

  test.each([
    [{ tools: [{ type: 'bash_20250124', name: 'bash' }] }, []],
    [{ tools: [{ type: 'web_search_20250305', name: 'w', max_uses: 2 }] }, []],
    [{ tools: [{ type: 'web_search_20250305', name: 'w' }] }, ['tools.0']],
    [{ tools: [{ type: 'code_execution_20250825', name: 'c' }] }, ['tools.0']],
    [{ mcp_servers: [{}] }, ['mcp_servers']],
    [{ container: 'c1' }, ['container']],
    [{ speed: 'fast' }, ['speed']],
    [{ inference_geo: 'us' }, ['inference_geo']],
    [{ context_management: { edits: [{ type: 'compact_20260112' }] } }, ['context_management.edits.0']],
    [
      part({ type: 'document', source: { type: 'file', file_id: 'f' } }),
      ['messages.0.content.0.source.file_id'],
    ],
  ])('%j leaves unbounded %j', (fields, unbounded) => expect(read(fields).unbounded).toEqual(unbounded))
})

describe('a body that is passed', () => {
  test('changes in model and limit alone', () => {
    expect(edited({ metadata: { user_id: 'u' } }, 500)).toEqual({
      model: 'up',
      max_tokens: 500,
      messages: prompt,
      metadata: { user_id: 'u' },
    })
    expect(edited({ max_tokens: undefined }, 500)).toMatchObject({ max_tokens: 500 })
    expect(edited({}, null)).toMatchObject({ max_tokens: 8_000 })
  })

  test('has a budget of thinking with room below the limit, or none', () => {
    const thinking = { type: 'enabled', budget_tokens: 6_000, display: 'omitted' }
    expect(edited({ thinking }, 8_000)).toMatchObject({ thinking })
    expect(edited({ thinking }, 4_000)).toMatchObject({ thinking: { ...thinking, budget_tokens: 3_000 } })
    expect(edited({ thinking }, 1_000)).not.toHaveProperty('thinking')
    expect(edited({ thinking: { type: 'adaptive' } }, 1_000)).toMatchObject({
      thinking: { type: 'adaptive' },
    })
  })
})

test('usage leaves cached input apart on the wire, and counts it in here', () => {
  const wire = {
    input_tokens: 3,
    output_tokens: 5,
    cache_creation_input_tokens: 4,
    cache_read_input_tokens: 10,
  }
  const usage = messageUsage({ ...wire, cache_creation: { ephemeral_1h_input_tokens: 1 } })
  expect(usage).toEqual({
    ...noUsage,
    input_tokens: 17,
    output_tokens: 5,
    cache_read_tokens: 10,
    cache_write_tokens: 4,
    cache_write_1h_tokens: 1,
  })
  expect(messageUsageText(usage ?? noUsage)).toEqual(wire)
})

describe('a stream', () => {
  const event = (data: { type: string; [field: string]: unknown }) => ({
    event: data.type,
    data: JSON.stringify(data),
  })
  const begun = () => {
    const follower = messages.follow({ asks_usage: true })
    const usage = { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 1 }
    follower.read(event({ type: 'message_start', message: { id: 'm', usage } }))
    follower.read(event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }))
    return follower
  }
  const delta = (of: object) => event({ type: 'content_block_delta', index: 0, delta: of })

  test('replaces cumulative usage, and never adds it', () => {
    const follower = begun()
    for (const output_tokens of [7, 12])
      follower.read(event({ type: 'message_delta', delta: {}, usage: { output_tokens } }))
    follower.read(
      event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 15 } }),
    )
    follower.read(event({ type: 'message_stop' }))
    expect(follower.usage()).toEqual({
      ...noUsage,
      input_tokens: 15,
      cache_read_tokens: 5,
      output_tokens: 15,
    })
    expect([follower.finish(), follower.hasEnded()]).toEqual(['end_turn', true])
  })

  test('counts text, reasoning and arguments of tools', () => {
    const follower = begun()
    expect(follower.read(delta({ type: 'text_delta', text: 'a' })).output).toEqual(['a'])
    expect(follower.read(delta({ type: 'thinking_delta', thinking: 'b' })).output).toEqual(['b'])
    expect(follower.read(delta({ type: 'input_json_delta', partial_json: '{' })).output).toEqual(['{'])
    expect(follower.read(delta({ type: 'signature_delta', signature: 'x' })).output).toEqual([])
  })

  test('that is cut closes what is open and stops at its limit', () => {
    const svc = { code: 'budget_exceeded' }
    const events = begun().cut({ usage: { ...noUsage, input_tokens: 15, output_tokens: 9 }, svc })
    expect(events.map(({ event: name }) => name)).toEqual([
      'content_block_stop',
      'message_delta',
      'message_stop',
    ])
    expect(events.map(({ data }) => JSON.parse(data))).toMatchObject([
      { index: 0 },
      { delta: { stop_reason: 'max_tokens', stop_sequence: null }, usage: { output_tokens: 9 } },
      { type: 'message_stop', svc },
    ])
    expect(messages.follow({ asks_usage: true }).cut({ usage: noUsage, svc })[0]?.event).toBe('message_start')
  })

  test('that fails ends with its error', () => {
    const [error] = begun().fail({ status: 529, code: 'model_unavailable', message: 'full' })
    expect(error).toEqual({
      event: 'error',
      data: JSON.stringify({
        type: 'error',
        error: { type: 'overloaded_error', message: 'full', code: 'model_unavailable' },
      }),
    })
  })
})

test.each([
  [400, 'invalid_request_error'],
  [402, 'billing_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [422, 'invalid_request_error'],
  [429, 'rate_limit_error'],
  [500, 'api_error'],
  [503, 'overloaded_error'],
])('a refusal of %i is a %s', (status, type) => {
  expect(messages.refusal({ status, code: 'c', message: 'm', details: { cap_micros: 1 } }, 'r1')).toEqual({
    type: 'error',
    error: { cap_micros: 1, type, message: 'm', code: 'c' },
    cap_micros: 1,
    message: 'm',
    status,
    code: 'c',
    request_id: 'r1',
  })
})

test('a whole answer gives its usage, its end and all that was written', () => {
  const content = [
    { type: 'thinking', thinking: 'why' },
    { type: 'text', text: 'a' },
    { type: 'tool_use', id: 't', name: 'f', input: { x: 1 } },
  ]
  const answer = { content, stop_reason: 'tool_use', usage: { input_tokens: 1, output_tokens: 2 } }
  expect(messages.readAnswer(answer)).toMatchObject({
    usage: { input_tokens: 1, output_tokens: 2 },
    finish: 'tool_use',
    output: ['why', 'a', 'f', '{"x":1}'],
  })
})
