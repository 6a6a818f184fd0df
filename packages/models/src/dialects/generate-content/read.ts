import type { CallRequest } from '../dialect.ts'
import { type Body, flag, invalid, limitIn, modelIn, wholeNumber } from '../kit/body.ts'
import { listOf, objectOf, textOf } from '../kit/json.ts'
import { member } from './member.ts'

const maxAnswers = 8

/** The part of a content request that admission needs. Its model and `stream` are from its address. */
export function readContent(body: Body): CallRequest {
  const { text, value } = body
  const contents = value['contents']
  if (!Array.isArray(contents) || contents.length === 0)
    throw invalid('contents', 'must be a list of at least one content')
  const config = configOf(body)
  const media = contents
    .flatMap((content) => listOf(objectOf(content)['parts']))
    .flatMap((part) => [part, ...listOf(objectOf(member(objectOf(part), 'functionResponse'))['parts'])])
    .map(objectOf)
  const inline = media.flatMap((part) => {
    const data = member(part, 'inlineData')
    return data === undefined ? [] : [textOf(member(objectOf(data), 'mimeType')) ?? '']
  })
  const isImage = (type: string) => type.startsWith('image/')
  const named = media.filter((part) => member(part, 'fileData') !== undefined)
  return {
    model: modelIn(body),
    stream: flag(body, 'stream'),
    n: wholeNumber(config, 'candidateCount', 1, maxAnswers) ?? 1,
    output_limit: limitIn(config, 'maxOutputTokens'),
    has_output: true,
    size: {
      text_bytes: Buffer.byteLength(text),
      has_tools: listOf(value['tools']).length > 0,
      inline_images: inline.filter(isImage).length,
      unsized_media: inline.filter((type) => !isImage(type)).length + named.length,
    },
    caches_1h: false,
    unbounded: unboundedFields(body),
    asks_usage: true,
  }
}

const configFields = ['candidateCount', 'maxOutputTokens'] as const

/** The numbers of `generationConfig`, under the casing that refusals name. */
function configOf({ text, value }: Body): Body {
  const said = objectOf(member(value, 'generationConfig'))
  return { text, value: Object.fromEntries(configFields.map((name) => [name, member(said, name)])) }
}

/** Tools that the provider runs itself, and contents that it keeps. */
function unboundedFields({ value }: Body): readonly string[] {
  const tools = listOf(value['tools']).flatMap((tool, at) => {
    const own = Object.keys(objectOf(tool)).filter((name) => !/^function_?declarations$/i.test(name))
    return own.length === 0 ? [] : [`tools.${at}.${own[0]}`]
  })
  return [...tools, ...(member(value, 'cachedContent') === undefined ? [] : ['cachedContent'])]
}
