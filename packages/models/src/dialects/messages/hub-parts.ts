import type { LanguageModelV3ToolResultOutput } from '@ai-sdk/provider'
import { cacheOptions } from '../../hub/call-options.ts'
import { filePart, resultParts, type UserPart } from '../../hub/prompt.ts'
import { cannotTranslate } from '../../hub/refuse.ts'
import { type JsonObject, listOf, objectOf, textOf } from '../kit/json.ts'

/** A block of a user's message. */
export function userPart(block: JsonObject, field: string): UserPart {
  const cache = cacheOptions(block['cache_control'])
  switch (block['type']) {
    case 'text':
      return { type: 'text', text: textOf(block['text']) ?? '', ...cache }
    case 'image':
    case 'document':
      return { ...mediaPart(block, field), ...cache }
    default:
      throw cannotTranslate(field)
  }
}

function mediaPart(block: JsonObject, field: string) {
  const source = objectOf(block['source'])
  const mediaType = textOf(source['media_type'])
  const defaultType = block['type'] === 'image' ? 'image/*' : 'application/pdf'
  if (objectOf(block['citations'])['enabled'] === true) throw cannotTranslate(`${field}.citations`)
  switch (source['type']) {
    case 'base64':
    case 'text': {
      const data = textOf(source['data']) ?? ''
      const type = mediaType ?? (source['type'] === 'text' ? 'text/plain' : defaultType)
      const bytes = source['type'] === 'text' ? Buffer.from(data).toString('base64') : data
      const title = textOf(block['title'])
      return {
        type: 'file' as const,
        mediaType: type,
        data: bytes,
        ...(title === null ? {} : { filename: title }),
      }
    }
    case 'url':
      return filePart(source['url'], `${field}.source`, block['title'], defaultType)
    default:
      throw cannotTranslate(`${field}.source`)
  }
}

/** The result of a tool; a failed one stays a failed one. */
export function resultOutput(block: JsonObject, field: string): LanguageModelV3ToolResultOutput {
  const text = textOf(block['content'])
  const parts = text === null ? listOf(block['content']).map(objectOf) : [{ type: 'text', text }]
  const isError = block['is_error'] === true
  if (parts.every((part) => part['type'] === 'text')) {
    const value = parts.map((part) => textOf(part['text']) ?? '').join('\n')
    return { type: isError ? 'error-text' : 'text', value }
  }
  const place = `${field}.content`
  return resultParts(
    parts.map((part, at) => userPart(part, `${place}.${at}`)),
    place,
  )
}
