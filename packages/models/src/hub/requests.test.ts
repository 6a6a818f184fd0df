import type { LanguageModelV3CallOptions, LanguageModelV3Message } from '@ai-sdk/provider'
import { describe, expect, test } from 'vitest'
import { dialects } from '../dialects/dialects.ts'
import { parseBody } from '../dialects/kit/body.ts'
import type { HubTarget } from './hub.ts'
import { bodyOf } from './testing/vendors.ts'

const png = 'iVBORw0KGgo='
const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const arguments_ = '{"city":"Bern"}'

/** One conversation, as each dialect says it: a picture, two calls beside each other, one that failed. */
const conversations = {
  chat: {
    messages: [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Weather?' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
        ],
      },
      {
        role: 'assistant',
        content: 'Looking.',
        tool_calls: ['call_1', 'call_2'].map((id) => ({
          id,
          type: 'function',
          function: { name: 'weather', arguments: arguments_ },
        })),
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'rain' },
      { role: 'tool', tool_call_id: 'call_2', content: 'no such city' },
      { role: 'user', content: 'And now?' },
    ],
    tools: [
      { type: 'function', function: { name: 'weather', description: 'The weather', parameters: schema } },
    ],
    tool_choice: { type: 'function', function: { name: 'weather' } },
    max_tokens: 2_000,
    temperature: 0.5,
    stop: ['END'],
    parallel_tool_calls: false,
  },
  responses: {
    instructions: 'Be brief.',
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'Weather?' },
          { type: 'input_image', image_url: `data:image/png;base64,${png}` },
        ],
      },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Looking.' }] },
      ...['call_1', 'call_2'].map((call_id) => ({
        type: 'function_call',
        call_id,
        name: 'weather',
        arguments: arguments_,
      })),
      { type: 'function_call_output', call_id: 'call_1', output: 'rain' },
      { type: 'function_call_output', call_id: 'call_2', output: 'no such city' },
      { role: 'user', content: 'And now?' },
    ],
    tools: [{ type: 'function', name: 'weather', description: 'The weather', parameters: schema }],
    tool_choice: { type: 'function', name: 'weather' },
    max_output_tokens: 2_000,
    temperature: 0.5,
    parallel_tool_calls: false,
  },
  messages: {
    system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Weather?' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Looking.' },
          ...['call_1', 'call_2'].map((id) => ({
            type: 'tool_use',
            id,
            name: 'weather',
            input: { city: 'Bern' },
          })),
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_1', content: 'rain' },
          {
            type: 'tool_result',
            tool_use_id: 'call_2',
            content: [{ type: 'text', text: 'no such city' }],
            is_error: true,
          },
          { type: 'text', text: 'And now?' },
        ],
      },
    ],
    tools: [{ name: 'weather', description: 'The weather', input_schema: schema }],
    tool_choice: { type: 'tool', name: 'weather', disable_parallel_tool_use: true },
    max_tokens: 2_000,
    temperature: 0.5,
  },
} as const

const names = ['chat', 'responses', 'messages'] as const
const vendors = [
  ['openai_compatible', 'chat'],
  ['openai', 'responses'],
  ['anthropic', 'messages'],
] as const satisfies readonly (readonly [HubTarget, (typeof names)[number]])[]

const read = (name: (typeof names)[number], fields: object, target: HubTarget) =>
  dialects[name].hub.read(parseBody(JSON.stringify({ model: 'm', ...fields })), target)

/** A prompt without the hints of either side: what the model is told. */
function told(prompt: readonly LanguageModelV3Message[]) {
  return prompt.flatMap((message): unknown[] => {
    if (message.role === 'system') return [`system: ${message.content}`]
    return message.content.map((part) => {
      switch (part.type) {
        case 'text':
          return `${message.role}: ${part.text}`
        case 'file':
          return `${message.role}: ${part.mediaType} ${String(part.data)}`
        case 'tool-call':
          return `call: ${part.toolCallId} ${part.toolName} ${JSON.stringify(part.input)}`
        case 'tool-result':
          return `result: ${part.toolCallId} ${part.toolName} ${JSON.stringify('value' in part.output ? part.output.value : null)}`
        default:
          return part
      }
    })
  })
}

const expected = [
  'system: Be brief.',
  'user: Weather?',
  `user: image/png ${png}`,
  'assistant: Looking.',
  `call: call_1 weather ${arguments_}`,
  `call: call_2 weather ${arguments_}`,
  'result: call_1 weather "rain"',
  'result: call_2 weather "no such city"',
  'user: And now?',
]

const tools = [{ type: 'function', name: 'weather', description: 'The weather', inputSchema: schema }]

function expectCall(options: LanguageModelV3CallOptions) {
  expect(told(options.prompt)).toEqual(expected)
  expect(options.tools).toMatchObject(tools)
  expect(options.toolChoice).toEqual({ type: 'tool', toolName: 'weather' })
  expect(options.maxOutputTokens).toBe(2_000)
  expect(options.providerOptions).toMatchObject({
    openai: { parallelToolCalls: false },
    anthropic: { disableParallelToolUse: true },
  })
}

describe.each(names)('a conversation in %s', (name) => {
  test.each(vendors)('is asked of %s, which reads in %s what was said', async (target, vendor) => {
    const options = read(name, conversations[name], target)
    expectCall(options)
    const body = await bodyOf(vendor, options)
    expectCall(dialects[vendor].hub.read(body, target))
  })
})

test('cache marks, failed results and stop sequences come to where they mean something', async () => {
  const options = read('messages', { ...conversations.messages, stop_sequences: ['END'] }, 'anthropic')
  expect(options.stopSequences).toEqual(['END'])
  const { value } = await bodyOf('messages', options)
  const { system, messages } = conversations.messages
  expect(value).toMatchObject({ system, stop_sequences: ['END'] })
  expect(JSON.stringify(value['messages'])).toContain('"is_error":true')
  expect(messages).toHaveLength(3)
})

describe('reasoning comes back to the provider that wrote it', () => {
  const head = { id: 'c1', model: 'm', created: 1, asks_usage: true }
  const result = (providerMetadata: Record<string, Record<string, string>>) => ({
    content: [{ type: 'reasoning' as const, text: 'why', providerMetadata }],
    finishReason: { unified: 'stop' as const, raw: undefined },
    usage: {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    },
  })
  const user = { role: 'user', content: 'hi' }
  const [anthropic, openai] = [
    { anthropic: { signature: 'sig' } },
    { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'enc' } },
  ]

  test.each([anthropic, openai, { anthropic: { redactedData: 'hidden' } }])('%j', (proof) => {
    const chat = Object(dialects.chat.hub.write(result(proof), head)['choices'])[0].message
    const message = dialects.messages.hub.write(result(proof), head)['content']
    const items = Object(dialects.responses.hub.write(result(proof), head)['output'])
    const read_back = [
      read('chat', { messages: [user, chat, user] }, 'anthropic'),
      read('messages', { messages: [user, { role: 'assistant', content: message }, user] }, 'openai'),
      read('responses', { input: [user, ...items, user] }, 'anthropic'),
    ]
    for (const { prompt } of read_back) {
      const [part] = prompt.flatMap((one) => (one.role === 'assistant' ? one.content : []))
      expect(part).toMatchObject({ type: 'reasoning', providerOptions: proof })
    }
  })
})

describe('a request is refused by its field', () => {
  const user = { messages: [{ role: 'user', content: 'hi' }] }
  test.each([
    ['chat', { ...user, n: 2 }, 'anthropic', 'n'],
    ['chat', { ...user, logprobs: true }, 'anthropic', 'logprobs'],
    ['chat', { ...user, tools: [{ type: 'custom' }] }, 'anthropic', 'tools.0'],
    ['chat', { ...user, modalities: ['audio'] }, 'anthropic', 'modalities'],
    ['chat', { ...user, response_format: { type: 'json_object' } }, 'anthropic', 'response_format'],
    [
      'chat',
      { messages: [{ role: 'user', content: [{ type: 'input_audio' }] }] },
      'demo',
      'messages.0.content.0',
    ],
    ['responses', { input: 'a', tools: [{ type: 'web_search' }] }, 'anthropic', 'tools.0'],
    ['responses', { input: [{ type: 'web_search_call' }] }, 'anthropic', 'input.0'],
    ['responses', { input: 'a', top_logprobs: 2 }, 'anthropic', 'top_logprobs'],
    ['messages', { ...user, tools: [{ type: 'bash_20250124' }] }, 'openai', 'tools.0'],
    ['messages', { ...user, stop_sequences: ['a'] }, 'openai', 'stop_sequences'],
    ['messages', { ...user, top_k: 3 }, 'openai_compatible', 'top_k'],
    [
      'messages',
      { messages: [{ role: 'user', content: [{ type: 'search_result' }] }] },
      'openai',
      'messages.0.content.0',
    ],
  ] as const)('%s %j for %s: %s', (name, fields, target, field) => {
    expect(() => read(name, fields, target)).toThrow(
      expect.objectContaining({ code: 'cannot_translate', details: { field } }),
    )
  })

  test('but not for what is a hint, or changes nothing', () => {
    const hints = {
      n: 1,
      logprobs: false,
      metadata: { a: 'b' },
      user: 'u',
      service_tier: 'auto',
      seed: 3,
      logit_bias: {},
    }
    expect(read('chat', { ...user, ...hints }, 'anthropic').prompt).toHaveLength(1)
    expect(read('messages', { ...user, stop_sequences: [], metadata: {} }, 'openai').prompt).toHaveLength(1)
  })
})

test.each([
  ['chat', { response_format: { type: 'json_schema', json_schema: { name: 'w', schema, strict: true } } }],
  ['responses', { input: 'hi', text: { format: { type: 'json_schema', name: 'w', schema, strict: true } } }],
] as const)('the schema of an answer in %s is said to each provider', async (name, fields) => {
  const options = read(name, { messages: [{ role: 'user', content: 'hi' }], ...fields }, 'openai')
  expect(options.responseFormat).toEqual({ type: 'json', name: 'w', schema })
  for (const vendor of names)
    expect(JSON.stringify((await bodyOf(vendor, options)).value)).toContain('"city"')
})
