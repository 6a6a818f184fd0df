import { usageOf } from '../../calls/usage.ts'
import type { CallRequest, Dialect } from '../dialect.ts'
import { followChat } from '../chat/follow.ts'
import { type Body, invalid, modelIn } from '../kit/body.ts'
import { isObject, numberOf, objectOf } from '../kit/json.ts'
import { editMembers } from '../kit/members.ts'
import { openAiRefusal } from '../kit/refusal.ts'

/** OpenAI's embeddings: input alone, and never a stream. */
export const embeddings: Dialect = {
  name: 'embeddings',
  path: '/embeddings',
  read: readEmbeddings,
  edit: ({ text }, { model }) => editMembers(text, [{ key: 'model', value: model }]),
  readAnswer(answer) {
    const { usage } = objectOf(answer)
    const input_tokens = isObject(usage) ? numberOf(usage['prompt_tokens']) : null
    return { usage: input_tokens === null ? null : usageOf({ input_tokens }), finish: null, output: [] }
  },
  follow: followChat,
  refusal: openAiRefusal,
}

function readEmbeddings(body: Body): CallRequest {
  const input = body.value['input'] ?? null
  if (typeof input !== 'string' && !Array.isArray(input))
    throw invalid('input', 'must be a text or a list of texts or tokens')
  return {
    model: modelIn(body),
    stream: false,
    n: 1,
    output_limit: 0,
    has_output: false,
    size: {
      text_bytes: Buffer.byteLength(body.text),
      has_tools: false,
      inline_images: 0,
      unsized_media: 0,
    },
    caches_1h: false,
    unbounded: [],
    asks_usage: false,
  }
}
