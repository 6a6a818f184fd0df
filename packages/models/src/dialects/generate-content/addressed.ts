import { type Body, parseBody } from '../kit/body.ts'
import { isObject } from '../kit/json.ts'
import { editMembers } from '../kit/members.ts'
import { member } from './member.ts'

/** A request with the model and the way of its answer as members, which this dialect puts into the address. */
export function addressedText(
  text: string,
  at: { readonly model: string; readonly stream: boolean },
): string {
  const { text: read } = parseBody(text)
  return editMembers(read, [
    { key: 'model', value: at.model },
    { key: 'stream', value: at.stream },
  ])
}

/** The request whose tokens are counted: the one within, or the body itself. */
export function countedBody(text: string, model: string): Body {
  const inner = member(parseBody(text).value, 'generateContentRequest')
  const counted = isObject(inner) ? JSON.stringify(inner) : text
  return parseBody(addressedText(counted, { model, stream: false }))
}
