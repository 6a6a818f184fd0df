import type { CallRequest } from '../dialect.ts'
import { type Body, flag, invalid, limitIn, modelIn } from '../kit/body.ts'
import { listOf } from '../kit/json.ts'
import { isInline, type Media, partsIn, type PlacedPart } from '../kit/parts.ts'
import { refuseStored, unboundedFields } from './unbounded.ts'

/** The part of a response request that admission needs. */
export function readResponses(body: Body): CallRequest {
  const { text, value } = body
  refuseStored(body)
  const input = value['input'] ?? null
  if (typeof input !== 'string' && !Array.isArray(input) && (value['prompt'] ?? null) === null)
    throw invalid('input', 'must be a text or a list of items')
  const media: Media = { inline_images: 0, unsized_media: 0, unbounded: unboundedFields(body) }
  for (const placed of partsIn(input, 'input')) weigh(placed, media)
  const { inline_images, unsized_media, unbounded } = media
  return {
    model: modelIn(body),
    stream: flag(body, 'stream'),
    n: 1,
    output_limit: limitIn(body, 'max_output_tokens'),
    has_output: true,
    size: {
      text_bytes: Buffer.byteLength(text),
      has_tools: listOf(value['tools']).length > 0,
      inline_images,
      unsized_media,
    },
    caches_1h: false,
    unbounded,
    asks_usage: true,
  }
}

function weigh({ path, part }: PlacedPart, media: Media): void {
  const type = String(part['type'])
  if (part['file_id'] !== undefined && part['file_id'] !== null) media.unbounded.push(`${path}.file_id`)
  if (type === 'item_reference') media.unbounded.push(path)
  if (type === 'input_audio') media.unbounded.push(`${path}.input_audio`)
  const isImage = type === 'input_image' || type === 'computer_screenshot'
  if (isImage && isInline(part['image_url'])) media.inline_images++
  else if (isImage || type === 'input_file' || type === 'input_audio') media.unsized_media++
}
