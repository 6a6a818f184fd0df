import { isObject, type JsonObject, stringOf, strings } from '../json-values.ts'
import { oneLine, plain } from '../output/plain.ts'

export interface Question {
  readonly text: string
  readonly options: readonly string[]
}

/** Something the agent waits for a person to answer. */
export type AgentRequest =
  | {
      readonly kind: 'permission'
      readonly id: string
      readonly permission: string
      readonly patterns: readonly string[]
    }
  | { readonly kind: 'question'; readonly id: string; readonly questions: readonly Question[] }

const waiting = new Set(['asked', 'pending', 'open'])

/** The request of an event `permission` or `question`; null for a request that is answered already. */
export function readRequest(event: JsonObject & { readonly type: string }): AgentRequest | null {
  const id = stringOf(event, 'request_id')
  if (id === null || !waiting.has(stringOf(event, 'state') ?? 'asked')) return null
  if (event.type === 'permission') {
    const permission = oneLine(stringOf(event, 'permission') ?? 'something')
    return { kind: 'permission', id, permission, patterns: strings(event['patterns']).map(oneLine) }
  }
  const questions = Array.isArray(event['questions']) ? event['questions'] : []
  return { kind: 'question', id, questions: questions.filter(isObject).map(readQuestion) }
}

function readQuestion(question: Readonly<Record<string, unknown>>): Question {
  const options = Array.isArray(question['options']) ? question['options'] : []
  return {
    text: plain(stringOf(question, 'question') ?? stringOf(question, 'header') ?? ''),
    options: options.flatMap((option) => {
      const label = isObject(option) ? stringOf(option, 'label') : typeof option === 'string' ? option : null
      return label === null ? [] : [label]
    }),
  }
}
