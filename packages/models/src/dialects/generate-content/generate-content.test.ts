import { describe, expect, test } from 'vitest'
import { noUsage } from '../../calls/usage.ts'
import type { HubTarget } from '../../hub/hub.ts'
import { addressedText, countedBody } from './addressed.ts'
import { parseBody } from '../kit/body.ts'
import { generateContent } from './dialect.ts'
import { contentUsage, contentUsageText } from './usage.ts'

const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]
const body = (fields: object = {}) =>
  parseBody(addressedText(JSON.stringify({ contents, ...fields }), { model: 'acme/m1', stream: true }))
const read = (fields: object) => generateContent.read(body(fields))
const hub = (fields: object, target: HubTarget = 'openai_compatible') =>
  generateContent.hub.read(body(fields), target)

describe('a request', () => {
  test('has the model and the stream of its address', () => {
    expect(read({ model: 'other', generationConfig: { maxOutputTokens: 9 } })).toMatchObject({
      model: 'acme/m1',
      stream: true,
      n: 1,
      output_limit: 9,
      unbounded: [],
    })
    expect(read({ generation_config: { max_output_tokens: 9 } }).output_limit).toBe(9)
    expect(() => read({ contents: [] })).toThrow('contents')
  })

  test('weighs media, and names what nothing bounds', () => {
    const parts = [
      { inlineData: { mimeType: 'image/png', data: 'AA' } },
      { inline_data: { mime_type: 'application/pdf', data: 'AA' } },
      { fileData: { fileUri: 'https://a.example/b' } },
    ]
    const { size } = read({ contents: [{ parts }] })
    expect([size.inline_images, size.unsized_media]).toEqual([1, 2])
    expect(
      read({ tools: [{ functionDeclarations: [] }, { googleSearch: {} }], cachedContent: 'c' }).unbounded,
    ).toEqual(['tools.1.googleSearch', 'cachedContent'])
  })

  test('is counted by itself, or by the request within', () => {
    const inner = JSON.stringify({ generateContentRequest: { contents } })
    expect(countedBody(inner, 'm').value).toEqual({ contents, model: 'm', stream: false })
  })
})

describe('the hub', () => {
  test('has the system text, tools and their choice', () => {
    const asked = hub({
      systemInstruction: { parts: [{ text: 'be' }, { text: 'short' }] },
      tools: [
        {
          functionDeclarations: [
            {
              name: 'f',
              parameters: { type: 'OBJECT', properties: { type: { type: 'STRING', nullable: true } } },
            },
            { name: 'g' },
          ],
        },
      ],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f', 'h'] } },
      generationConfig: { temperature: 0.5, topP: 0.9, topK: 64, stopSequences: ['x'] },
    })
    expect(asked.prompt[0]).toEqual({ role: 'system', content: 'be\nshort' })
    expect(asked).toMatchObject({
      tools: [
        {
          name: 'f',
          inputSchema: { type: 'object', properties: { type: { type: ['string', 'null'] } } },
        },
      ],
      toolChoice: { type: 'required' },
      temperature: 0.5,
      topP: 0.9,
      stopSequences: ['x'],
    })
    expect(asked).not.toHaveProperty('topK')
    expect(hub({ generationConfig: { topK: 64 } }, 'anthropic').topK).toBe(64)
  })

  test('pairs results with calls by their id, else by their name and order', () => {
    const call = (name: string, id?: string) => ({ functionCall: { name, args: {}, ...(id && { id }) } })
    const response = (name: string, output: unknown, id?: string) => ({
      functionResponse: { name, response: output, ...(id && { id }) },
    })
    const { prompt } = hub({
      contents: [
        ...contents,
        { role: 'model', parts: [{ text: 'why', thought: true }, call('f'), call('g', 'x'), call('f')] },
        {
          role: 'user',
          parts: [
            response('f', { output: 'one' }),
            response('g', { error: 'no' }, 'x'),
            response('f', { output: 'two', more: 1 }),
          ],
        },
      ],
    })
    expect(prompt.slice(1)).toMatchObject([
      {
        role: 'assistant',
        content: [{ toolCallId: 'call_1' }, { toolCallId: 'x' }, { toolCallId: 'call_2' }],
      },
      {
        role: 'tool',
        content: [
          { toolCallId: 'call_1', toolName: 'f', output: { type: 'text', value: 'one' } },
          { toolCallId: 'x', toolName: 'g', output: { type: 'error-text', value: 'no' } },
          { toolCallId: 'call_2', output: { type: 'text', value: '{"output":"two","more":1}' } },
        ],
      },
    ])
  })

  test.each([
    [{ tools: [{ googleSearch: {} }] }, 'tools.0.googleSearch'],
    [{ generationConfig: { candidateCount: 2 } }, 'candidateCount'],
    [{ generationConfig: { responseModalities: ['AUDIO'] } }, 'responseModalities'],
    [{ cachedContent: 'c' }, 'cachedContent'],
    [{ contents: [{ parts: [{ fileData: { fileUri: 'gs://a/b' } }] }] }, 'contents.0.parts.0'],
  ])('refuses %j', (fields, field) => expect(() => hub(fields)).toThrow(field))

  test('gives a proof of reasoning with the call after it, and takes it back', () => {
    const writer = generateContent.hub.stream({ id: 'i', model: 'm', created: 0, asks_usage: true })
    const proof = { openai: { itemId: 'r1', reasoningEncryptedContent: 'secret' } }
    const events = [
      writer.write({ type: 'reasoning-start', id: 'r', providerMetadata: proof }),
      writer.write({ type: 'reasoning-delta', id: 'r', delta: 'why' }),
      writer.write({ type: 'reasoning-end', id: 'r' }),
      writer.write({ type: 'tool-call', toolCallId: 'c', toolName: 'f', input: '{"a":1}' }),
    ].flat()
    const parts = events.map(({ data }) => JSON.parse(data).candidates[0].content.parts[0])
    expect(parts[0]).toEqual({ text: 'why', thought: true })
    expect(parts[1]).toMatchObject({ functionCall: { id: 'c', name: 'f', args: { a: 1 } } })
    const { prompt } = hub({ contents: [...contents, { role: 'model', parts }] })
    expect(prompt[1]).toMatchObject({
      content: [
        { type: 'reasoning', providerOptions: proof },
        { type: 'tool-call', toolName: 'f' },
      ],
    })
  })
})

test('a passed body has the clamped limit', () => {
  const edited = generateContent.edit(body({ generationConfig: { maxOutputTokens: 9, topK: 1 } }), {
    model: 'up',
    output_limit: 5,
  })
  expect(JSON.parse(edited)).toMatchObject({ model: 'up', generationConfig: { maxOutputTokens: 5, topK: 1 } })
})

test('usage leaves thoughts apart on the wire, and counts them in here', () => {
  const wire = {
    promptTokenCount: 10,
    candidatesTokenCount: 5,
    thoughtsTokenCount: 3,
    cachedContentTokenCount: 4,
    totalTokenCount: 18,
  }
  const usage = contentUsage(wire)
  expect(usage).toEqual({
    ...noUsage,
    input_tokens: 10,
    output_tokens: 8,
    cache_read_tokens: 4,
    reasoning_tokens: 3,
  })
  expect(contentUsageText(usage ?? noUsage)).toEqual(wire)
})

describe('a stream', () => {
  const piece = (fields: object) => ({ data: JSON.stringify(fields) })

  test('ends with the reason of its last piece, and replaces usage', () => {
    const follower = generateContent.follow({ asks_usage: true })
    const text = { candidates: [{ content: { parts: [{ text: 'a' }] } }] }
    const first = follower.read(piece({ ...text, usageMetadata: { candidatesTokenCount: 1 } }))
    expect([first.output, first.output_tokens, follower.hasEnded()]).toEqual([['a'], 1, false])
    follower.read(
      piece({
        candidates: [{ finishReason: 'STOP' }],
        usageMetadata: { promptTokenCount: 2, candidatesTokenCount: 4 },
      }),
    )
    expect([follower.finish(), follower.hasEnded(), follower.usage()?.output_tokens]).toEqual([
      'STOP',
      true,
      4,
    ])
  })

  test('that is cut stops at its limit, and one that fails says its error', () => {
    const follower = generateContent.follow({ asks_usage: true })
    const svc = { code: 'budget_exceeded' }
    const [cut] = follower.cut({ usage: { ...noUsage, output_tokens: 3 }, svc })
    expect(JSON.parse(cut?.data ?? '')).toMatchObject({
      candidates: [{ finishReason: 'MAX_TOKENS' }],
      usageMetadata: { candidatesTokenCount: 3 },
      svc,
    })
    const [failed] = follower.fail({ status: 503, code: 'model_unavailable', message: 'full' })
    expect(JSON.parse(failed?.data ?? '')).toMatchObject({
      error: {
        code: 503,
        status: 'UNAVAILABLE',
        message: 'full',
        details: [{ reason: 'model_unavailable' }],
      },
    })
    expect(follower.read(failed ?? { data: '' }).error).toEqual({ code: 'UNAVAILABLE', message: 'full' })
  })
})
