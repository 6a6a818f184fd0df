import type { CallRequest } from '../dialect.ts'
import { type Body, flag, invalid, limitIn, modelIn } from '../kit/body.ts'
import { listOf, objectOf } from '../kit/json.ts'
import { type Media, partsIn, type PlacedPart } from '../kit/parts.ts'
import { unboundedFields } from './unbounded.ts'

/** The part of a message request that admission needs. */
export function readMessages(body: Body): CallRequest {
  const { text, value } = body
  if (!Array.isArray(value['messages']) || value['messages'].length === 0)
    throw invalid('messages', 'must be a list of at least one message')
  const media: Media = { inline_images: 0, unsized_media: 0, unbounded: unboundedFields(body) }
  for (const placed of partsIn(value['system'], 'system')) weigh(placed, media)
  for (const placed of partsIn(value['messages'], 'messages')) weigh(placed, media)
  const { inline_images, unsized_media, unbounded } = media
  return {
    model: modelIn(body),
    stream: flag(body, 'stream'),
    n: 1,
    output_limit: limitIn(body, 'max_tokens'),
    has_output: true,
    size: {
      text_bytes: Buffer.byteLength(text),
      has_tools: listOf(value['tools']).length > 0,
      inline_images,
      unsized_media,
    },
    caches_1h: text.includes('"1h"'),
    unbounded,
    asks_usage: true,
  }
}

function weigh({ path, part }: PlacedPart, media: Media): void {
  const source = objectOf(part['source'])
  if (source['type'] === 'file') media.unbounded.push(`${path}.source.file_id`)
  if (part['type'] === 'container_upload') media.unbounded.push(path)
  if (part['type'] === 'image' && source['type'] === 'base64') media.inline_images++
  else if (part['type'] === 'image') media.unsized_media++
  // A document of pages is compressed: its bytes bound nothing.
  else if (part['type'] === 'document' && !['text', 'content'].includes(String(source['type'])))
    media.unsized_media++
}
