import type { LanguageModelV3ToolResultOutput } from '@ai-sdk/provider'
import { filePart, resultParts, type UserPart } from '../../hub/prompt.ts'
import { cannotTranslate } from '../../hub/refuse.ts'
import { type JsonObject, listOf, objectOf, textOf } from '../kit/json.ts'
import { member } from './member.ts'

/** A part of a user's content. */
export function userPart(part: JsonObject, field: string): UserPart {
  const text = textOf(part['text'])
  if (text !== null) return { type: 'text', text }
  const inline = objectOf(member(part, 'inlineData'))
  const [type, data] = [textOf(member(inline, 'mimeType')), textOf(inline['data'])]
  if (type !== null && data !== null) return { type: 'file', mediaType: type, data }
  const file = objectOf(member(part, 'fileData'))
  const uri = textOf(member(file, 'fileUri'))
  // An address of a file that Google keeps is read by Google alone.
  if (uri === null || !/^https:/.test(uri) || uri.includes('googleapis.com')) throw cannotTranslate(field)
  return filePart(uri, field, undefined, textOf(member(file, 'mimeType')) ?? undefined)
}

/** The result of a call: its `output`, its `error`, or the whole object. */
export function responseOutput(said: JsonObject, field: string): LanguageModelV3ToolResultOutput {
  const response = objectOf(said['response'])
  const [output, error] = [textOf(response['output']), textOf(response['error'])]
  const media = listOf(said['parts']).map((part, at) => userPart(objectOf(part), `${field}.parts.${at}`))
  const isOne = Object.keys(response).length === 1
  const value = (isOne ? (output ?? error) : null) ?? JSON.stringify(response)
  if (media.length > 0) return resultParts([{ type: 'text', text: value }, ...media], field)
  return { type: isOne && error !== null ? 'error-text' : 'text', value }
}
