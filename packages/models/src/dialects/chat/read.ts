import type { CallRequest } from '../dialect.ts'
import { type Body, flag, invalid, limitIn, modelIn, wholeNumber } from '../kit/body.ts'
import { listOf, objectOf } from '../kit/json.ts'
import { isInline, type Media, partsIn, type PlacedPart } from '../kit/parts.ts'

const maxAnswers = 128

/** Tiers of service at the price of the list, or below it. */
const listedTiers = [undefined, null, 'auto', 'default', 'flex', 'standard']

/** The part of a chat completion request that admission needs. */
export function readChat(body: Body): CallRequest {
  const { text, value } = body
  if (!Array.isArray(value['messages']) || value['messages'].length === 0)
    throw invalid('messages', 'must be a list of at least one message')
  const media: Media = { inline_images: 0, unsized_media: 0, unbounded: unboundedFields(body) }
  for (const placed of partsIn(value['messages'], 'messages')) weigh(placed, media)
  const { inline_images, unsized_media, unbounded } = media
  return {
    model: modelIn(body),
    stream: flag(body, 'stream'),
    n: wholeNumber(body, 'n', 1, maxAnswers) ?? 1,
    output_limit: limitIn(body, 'max_completion_tokens') ?? limitIn(body, 'max_tokens'),
    has_output: true,
    size: {
      text_bytes: Buffer.byteLength(text),
      has_tools: listOf(value['tools']).length > 0 || listOf(value['functions']).length > 0,
      inline_images,
      unsized_media,
    },
    caches_1h: text.includes('"1h"'),
    unbounded,
    asks_usage: objectOf(value['stream_options'])['include_usage'] === true,
  }
}

function unboundedFields({ value }: Body): string[] {
  const tools = listOf(value['tools']).flatMap((tool, at) =>
    ['function', 'custom'].includes(String(objectOf(tool)['type'])) ? [] : [`tools.${at}`],
  )
  const present = ['web_search_options', 'audio', 'prediction', 'plugins', 'models'].filter(
    (field) => (value[field] ?? null) !== null,
  )
  const speaks = listOf(value['modalities']).some((one) => one !== 'text')
  const tier = value['service_tier']
  return [
    ...tools,
    ...present,
    ...(speaks ? ['modalities'] : []),
    ...(listedTiers.some((listed) => listed === tier) ? [] : ['service_tier']),
  ]
}

function weigh({ path, part }: PlacedPart, media: Media): void {
  if (part['type'] === 'image_url') {
    if (isInline(objectOf(part['image_url'])['url'] ?? part['image_url'])) media.inline_images++
    else media.unsized_media++
  } else if (part['type'] === 'file') {
    media.unsized_media++
    if (objectOf(part['file'])['file_id'] !== undefined) media.unbounded.push(`${path}.file.file_id`)
  } else if (['input_audio', 'video_url'].includes(String(part['type']))) {
    media.unsized_media++
    media.unbounded.push(`${path}.${String(part['type'])}`)
  }
}
