import { describe, expect, test } from 'vitest'
import { noUsage } from '../../calls/usage.ts'
import { parseBody } from '../kit/body.ts'
import { responses } from './dialect.ts'
import { responseUsage, responseUsageText } from './usage.ts'

const body = (fields: object) => parseBody(JSON.stringify({ model: 'gpt', input: 'hi', ...fields }))
const read = (fields: object) => responses.read(body(fields))
const part = (content: object) => ({ input: [{ role: 'user', content: [content] }] })

describe('a request', () => {
  test('says what admission needs', () => {
    expect(read({ stream: true, max_output_tokens: 99, tools: [{ type: 'function' }] })).toMatchObject({
      model: 'gpt',
      stream: true,
      n: 1,
      output_limit: 99,
      size: { has_tools: true, inline_images: 0, unsized_media: 0 },
      unbounded: [],
    })
    expect(
      read(part({ type: 'input_image', image_url: 'data:image/png;base64,AA' })).size.inline_images,
    ).toBe(1)
    expect(read(part({ type: 'input_file', file_url: 'https://a.example' })).size.unsized_media).toBe(1)
    expect(
      read({
        input: [{ type: 'function_call_output', output: [{ type: 'input_image', image_url: 'https://a' }] }],
      }).size,
    ).toMatchObject({ unsized_media: 1 })
  })

  test.each([{ previous_response_id: 'r' }, { conversation: 'c' }, { background: true }])(
    '%j is refused, since nothing is stored',
    (fields) =>
      expect(() => read(fields)).toThrow(
        expect.objectContaining({ code: 'cost_not_bounded', details: { field: Object.keys(fields)[0] } }),
      ),
  )

  test.each([
    [{ tools: [{ type: 'web_search' }] }, ['tools.0']],
    [{ tools: [{ type: 'custom' }, { type: 'local_shell' }, { type: 'computer_use_preview' }] }, []],
    [{ tools: [{ type: 'namespace', tools: [{ type: 'function' }] }] }, []],
    [{ tools: [{ type: 'namespace', tools: [{ type: 'file_search' }] }] }, ['tools.0']],
    [{ tools: [{ type: 'shell', environment: { type: 'local' } }, { type: 'shell' }] }, ['tools.1']],
    [{ prompt: { id: 'p' } }, ['prompt']],
    [{ service_tier: 'priority' }, ['service_tier']],
    [part({ type: 'input_file', file_id: 'f' }), ['input.0.content.0.file_id']],
    [{ input: [{ type: 'item_reference', id: 'i' }] }, ['input.0']],
  ])('%j leaves unbounded %j', (fields, unbounded) => expect(read(fields).unbounded).toEqual(unbounded))
})

test('a body that is passed changes in model and limit, and is never stored', () => {
  const edit = (fields: object, output_limit: number | null): unknown =>
    JSON.parse(responses.edit(body(fields), { model: 'up', output_limit }))
  expect(edit({}, null)).toEqual({ model: 'up', input: 'hi', store: false })
  expect(edit({ store: true, max_output_tokens: 50 }, 20)).toEqual({
    model: 'up',
    input: 'hi',
    store: false,
    max_output_tokens: 20,
  })
})

test('usage counts cached input in, and goes back to the wire as it came', () => {
  const wire = {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 4 },
    output_tokens: 6,
    output_tokens_details: { reasoning_tokens: 3 },
    total_tokens: 16,
  }
  const usage = responseUsage(wire)
  expect(usage).toEqual({
    ...noUsage,
    input_tokens: 10,
    output_tokens: 6,
    cache_read_tokens: 4,
    reasoning_tokens: 3,
  })
  expect(responseUsageText(usage ?? noUsage)).toEqual(wire)
})

describe('a stream', () => {
  const event = (data: { type: string; [field: string]: unknown }) => ({
    event: data.type,
    data: JSON.stringify(data),
  })
  const begun = () => {
    const follower = responses.follow({ asks_usage: true })
    const item = { id: 'msg1', type: 'message', role: 'assistant', status: 'in_progress', content: [] }
    const response = { id: 'resp1', model: 'm', status: 'in_progress', output: [] }
    follower.read(event({ type: 'response.created', sequence_number: 0, response }))
    follower.read(event({ type: 'response.output_item.added', sequence_number: 1, output_index: 0, item }))
    const place = { item_id: 'msg1', output_index: 0, content_index: 0 }
    follower.read(event({ type: 'response.output_text.delta', sequence_number: 2, ...place, delta: 'Hel' }))
    return {
      follower,
      last: follower.read(
        event({ type: 'response.output_text.delta', sequence_number: 3, ...place, delta: 'lo' }),
      ),
    }
  }

  test('counts its deltas and takes usage and end from its last event', () => {
    const { follower, last } = begun()
    expect(last.output).toEqual(['lo'])
    const usage = { input_tokens: 1, output_tokens: 2 }
    const response = { id: 'resp1', status: 'completed', output: [], usage }
    expect(follower.read(event({ type: 'response.completed', response })).output_tokens).toBe(2)
    expect([follower.hasEnded(), follower.finish(), follower.usage()?.input_tokens]).toEqual([
      true,
      'completed',
      1,
    ])
  })

  test('that is cut ends incomplete, with all that came', () => {
    const svc = { code: 'budget_exceeded' }
    const events = begun().follower.cut({ usage: { ...noUsage, input_tokens: 3, output_tokens: 4 }, svc })
    const item = {
      id: 'msg1',
      type: 'message',
      role: 'assistant',
      status: 'incomplete',
      content: [{ type: 'output_text', annotations: [], text: 'Hello' }],
    }
    expect(events.map(({ data }) => JSON.parse(data))).toEqual([
      { type: 'response.output_item.done', output_index: 0, item, sequence_number: 4 },
      {
        type: 'response.incomplete',
        response: {
          id: 'resp1',
          model: 'm',
          status: 'incomplete',
          incomplete_details: { reason: 'max_output_tokens' },
          output: [item],
          usage: responseUsageText({ ...noUsage, input_tokens: 3, output_tokens: 4 }),
          svc,
        },
        svc,
        sequence_number: 5,
      },
    ])
  })

  test('that fails ends as a failed response', () => {
    const [failed] = begun().follower.fail({ status: 504, code: 'model_deadline', message: 'late' })
    expect(failed?.event).toBe('response.failed')
    expect(JSON.parse(failed?.data ?? '')).toMatchObject({
      response: { id: 'resp1', status: 'failed', error: { code: 'model_deadline', message: 'late' } },
    })
  })

  test('tells a provider’s own error', () => {
    const { follower } = begun()
    expect(follower.read(event({ type: 'error', code: 'x', message: 'no' })).error).toEqual({
      code: 'x',
      message: 'no',
    })
    const response = { status: 'failed', error: { code: 'y', message: 'not' } }
    expect(follower.read(event({ type: 'response.failed', response })).error).toEqual({
      code: 'y',
      message: 'not',
    })
  })
})

test('a whole answer gives its usage, its end and all that was written', () => {
  const output = [
    { type: 'reasoning', summary: [{ type: 'summary_text', text: 'why' }] },
    { type: 'message', content: [{ type: 'output_text', text: 'a' }] },
    { type: 'function_call', name: 'f', arguments: '{}' },
  ]
  const answer = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, output }
  expect(responses.readAnswer(answer)).toEqual({
    usage: null,
    finish: 'max_output_tokens',
    output: ['why', 'a', 'f', '{}'],
  })
})
