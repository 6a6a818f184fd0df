import type {
  LanguageModelV3Content,
  LanguageModelV3FinishReason,
  LanguageModelV3StreamPart,
} from '@ai-sdk/provider'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dialects } from '../dialects/dialects.ts'
import type { HubResult } from './hub.ts'
import { proofOf } from './reasoning.ts'
import { readStream, readWhole } from './testing/vendors.ts'
import { hubUsage } from './usage.ts'

const head = { id: 'c1', model: 'acme/m', created: 1_700_000_000, asks_usage: true }
const speaking = ['chat', 'responses', 'messages'] as const

const usage = {
  inputTokens: { total: 100, noCache: 70, cacheRead: 30, cacheWrite: undefined },
  outputTokens: { total: 20, text: 12, reasoning: 8 },
}
/** Messages tell no reasoning tokens apart. */
const told = (name: (typeof speaking)[number]) => {
  const counted = hubUsage(usage)
  return name === 'messages' ? { ...counted, reasoning_tokens: 0 } : counted
}

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
/** Names that the vendors' clients refuse anywhere in an answer, since an object may take its prototype from them. */
const isRefused = (input: unknown) => /"(__proto__|constructor)"/.test(JSON.stringify(input))
const call = fc.record({
  name: fc.stringMatching(/^[a-z_]{1,12}$/),
  input: fc.dictionary(fc.string(), fc.jsonValue()).filter((input) => !isRefused(input)),
})
const answer = fc.record({
  reasoning: fc.option(text, { nil: null }),
  text: fc.option(text, { nil: null }),
  calls: fc.array(call, { maxLength: 3 }),
  isCut: fc.boolean(),
})
type Answer = typeof answer extends fc.Arbitrary<infer Value> ? Value : never

function resultOf({ reasoning, text: said, calls, isCut }: Answer): HubResult {
  const content: LanguageModelV3Content[] = [
    ...(reasoning === null
      ? []
      : [
          {
            type: 'reasoning' as const,
            text: reasoning,
            providerMetadata: { anthropic: { signature: 'sig' } },
          },
        ]),
    ...(said === null ? [] : [{ type: 'text' as const, text: said }]),
    ...calls.map(({ name, input }, at) => ({
      type: 'tool-call' as const,
      toolCallId: `call_${at}`,
      toolName: name,
      input: JSON.stringify(input),
    })),
  ]
  const unified = isCut ? 'length' : calls.length > 0 ? 'tool-calls' : 'stop'
  return { content, finishReason: { unified, raw: unified }, usage }
}

/** The same as a provider streams it: in letters, with the calls beside each other. */
function partsOf({ content, finishReason }: HubResult): LanguageModelV3StreamPart[] {
  const parts = content.flatMap((part, at): LanguageModelV3StreamPart[] => {
    const id = String(at)
    if (part.type === 'text')
      return [
        { type: 'text-start', id },
        ...[...part.text].map((delta) => ({ type: 'text-delta' as const, id, delta })),
        { type: 'text-end', id },
      ]
    if (part.type === 'reasoning')
      return [
        { type: 'reasoning-start', id },
        ...[...part.text].map((delta) => ({ type: 'reasoning-delta' as const, id, delta })),
        {
          type: 'reasoning-delta',
          id,
          delta: '',
          ...(part.providerMetadata && { providerMetadata: part.providerMetadata }),
        },
        { type: 'reasoning-end', id },
      ]
    if (part.type !== 'tool-call') return []
    const { toolCallId, toolName, input } = part
    return [
      { type: 'tool-input-start', id: toolCallId, toolName },
      { type: 'tool-input-delta', id: toolCallId, delta: input.slice(0, 1) },
      { type: 'tool-input-delta', id: toolCallId, delta: input.slice(1) },
      { type: 'tool-input-end', id: toolCallId },
      part,
    ]
  })
  return [{ type: 'stream-start', warnings: [] }, ...parts, { type: 'finish', finishReason, usage }]
}

/** Content as one text, one reasoning and its calls: chats tell no order. */
function sumOf(content: readonly LanguageModelV3Content[]) {
  const joined = (type: 'text' | 'reasoning') =>
    content.flatMap((part) => (part.type === type ? [part.text] : [])).join('')
  const calls = content.flatMap((part) =>
    part.type === 'tool-call'
      ? [{ id: part.toolCallId, name: part.toolName, input: JSON.parse(part.input) }]
      : [],
  )
  return { text: joined('text'), reasoning: joined('reasoning'), calls }
}

function contentOf(parts: readonly LanguageModelV3StreamPart[]): LanguageModelV3Content[] {
  return parts.flatMap((part): LanguageModelV3Content[] => {
    if (part.type === 'text-delta') return [{ type: 'text', text: part.delta }]
    if (part.type === 'reasoning-delta') return [{ type: 'reasoning', text: part.delta }]
    return part.type === 'tool-call' ? [part] : []
  })
}

/** A client of responses sees a cut as such before it looks at calls, all others by their reason. */
const finishes: Record<string, readonly string[]> = {
  stop: ['stop'],
  length: ['length'],
  'tool-calls': ['tool-calls'],
}

function expectFinish({ unified }: LanguageModelV3FinishReason, expected: LanguageModelV3FinishReason) {
  expect(finishes[expected.unified]).toContain(unified)
}

describe.each(speaking)('an answer of the hub, written as %s', (name) => {
  const { hub, readAnswer, follow } = dialects[name]

  test('is read by a client of that dialect as what it was', async () => {
    await fc.assert(
      fc.asyncProperty(answer, async (of) => {
        const result = resultOf(of)
        const written = hub.write(result, head)
        const read = await readWhole(name, written)
        expect(sumOf(read.content)).toEqual(sumOf(result.content))
        expectFinish(read.finishReason, result.finishReason)
        expect(hubUsage(read.usage)).toEqual(told(name))
        expect(readAnswer(written).usage).toEqual(told(name))
      }),
      { numRuns: 30 },
    )
  })

  test('is read so in a stream, which its follower follows to the end', async () => {
    await fc.assert(
      fc.asyncProperty(answer, async (of) => {
        const result = resultOf(of)
        const writer = hub.stream(head)
        const events = partsOf(result).flatMap((part) => writer.write(part))
        const parts = await readStream(name, events)
        expect(parts.filter((part) => part.type === 'error')).toEqual([])
        expect(sumOf(contentOf(parts))).toEqual(sumOf(result.content))
        const finish = parts.find((part) => part.type === 'finish')
        if (finish === undefined) throw new Error('no finish')
        expectFinish(finish.finishReason, result.finishReason)
        expect(hubUsage(finish.usage)).toEqual(told(name))
        const follower = follow({ asks_usage: true })
        const seen = events.flatMap((event) => follower.read(event).output)
        expect(follower.hasEnded()).toBe(true)
        expect(follower.usage()).toEqual(told(name))
        const all = sumOf(result.content)
        const names = all.calls.map((one) => one.name).join('')
        const length = all.text.length + all.reasoning.length + names.length
        expect(seen.join('').length).toBeGreaterThanOrEqual(length)
      }),
      { numRuns: 30 },
    )
  })

  test('can be cut at every event, and its client reads an answer that reached its limit', async () => {
    const result = resultOf({
      reasoning: 'why',
      text: 'Hello',
      calls: [{ name: 'f', input: { a: 1 } }],
      isCut: false,
    })
    const writer = hub.stream(head)
    const events = partsOf(result).flatMap((part) => writer.write(part))
    const last = events.findIndex((event) =>
      /stop_reason":"|finish_reason":"|response.completed/.test(event.data),
    )
    for (let length = 1; length < last; length++) {
      const follower = follow({ asks_usage: true })
      const sent = events.slice(0, length)
      for (const event of sent) follower.read(event)
      const end = follower.cut({ usage: hubUsage(usage), svc: { code: 'budget_exceeded' } })
      const parts = await readStream(name, [...sent, ...end])
      const finish = parts.find((part) => part.type === 'finish')
      expect(finish?.finishReason.unified).toBe('length')
      expect(finish && hubUsage(finish.usage).output_tokens).toBe(20)
      expect(parts.filter((part) => part.type === 'error')).toEqual([])
    }
  })
})

test('a call that comes whole is written as one that streams', async () => {
  const writer = dialects.chat.hub.stream(head)
  const whole = { type: 'tool-call' as const, toolCallId: 'c', toolName: 'f', input: '{"a":1}' }
  const finishReason = { unified: 'tool-calls' as const, raw: undefined }
  const events = [whole, whole, { type: 'finish' as const, finishReason, usage }].flatMap((part) =>
    writer.write(part),
  )
  expect(sumOf(contentOf(await readStream('chat', events))).calls).toEqual([
    { id: 'c', name: 'f', input: { a: 1 } },
  ])
})

test('a proof is kept over the parts of its reasoning', () => {
  const first = proofOf({ openai: { itemId: 'rs1', reasoningEncryptedContent: null } })
  expect(proofOf({ openai: { itemId: 'rs1', reasoningEncryptedContent: 'enc' } }, first)).toEqual({
    openai: { itemId: 'rs1', reasoningEncryptedContent: 'enc' },
  })
})
