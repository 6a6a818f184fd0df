import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamPart } from '@ai-sdk/provider'
import { parseBody } from '../../dialects/kit/body.ts'
import { eventText, type StreamEvent } from '../../dialects/kit/stream-event.ts'
import { compatibleName } from '../call-options.ts'

type Vendor = 'chat' | 'responses' | 'messages'

/** The AI SDK's client of each dialect, before an upstream that answers with `answer`. */
function model(vendor: Vendor, answer: () => Response, sent: string[]): LanguageModelV3 {
  const baseURL = 'https://upstream.example/v1'
  const fetch: typeof globalThis.fetch = (_, init) => {
    sent.push(String(init?.body))
    return Promise.resolve(answer())
  }
  const settings = { baseURL, apiKey: 'key', fetch }
  switch (vendor) {
    case 'chat':
      return createOpenAICompatible({
        ...settings,
        name: compatibleName,
        includeUsage: true,
        supportsStructuredOutputs: true,
      })('a-model')
    case 'responses':
      return createOpenAI(settings).responses('gpt-5')
    case 'messages':
      return createAnthropic(settings)('claude-sonnet-4-5')
  }
}

/** The body that a client of this dialect makes of a call. */
export async function bodyOf(vendor: Vendor, options: LanguageModelV3CallOptions) {
  const sent: string[] = []
  const refused = () => Response.json({ error: { message: 'no' } }, { status: 400 })
  try {
    await model(vendor, refused, sent).doGenerate(options)
  } catch (error) {
    if (sent.length === 0) throw error
  }
  return parseBody(sent[0] ?? '')
}

const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'hi' }] }]

/** The result that a client of this dialect reads in a whole answer. */
export async function readWhole(vendor: Vendor, answer: object) {
  return model(vendor, () => Response.json(answer), []).doGenerate({ prompt })
}

/** The parts that a client of this dialect reads in a stream. */
export async function readStream(vendor: Vendor, events: readonly StreamEvent[]) {
  const text = events.map(eventText).join('')
  const headers = { 'content-type': 'text/event-stream' }
  const { stream } = await model(vendor, () => new Response(text, { headers }), []).doStream({ prompt })
  const parts: LanguageModelV3StreamPart[] = []
  for await (const part of stream) parts.push(part)
  return parts
}
