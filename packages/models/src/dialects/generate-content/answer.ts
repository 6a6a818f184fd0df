import type { AnswerReading } from '../dialect.ts'
import { isObject, listOf, objectOf, textOf, texts } from '../kit/json.ts'
import { contentUsage } from './usage.ts'

/** A whole answer, or one piece of a stream, as it is metered. */
export function readContentAnswer(answer: unknown): AnswerReading {
  const { usageMetadata, candidates } = objectOf(answer)
  const all = listOf(candidates).map(objectOf)
  const parts = all.flatMap(({ content }) => listOf(objectOf(content)['parts']).map(objectOf))
  return {
    usage: contentUsage(usageMetadata),
    finish: textOf(all[0]?.['finishReason']),
    output: parts.flatMap(({ text, functionCall }) => {
      const { name, args } = objectOf(functionCall)
      return texts(text, name, isObject(args) ? JSON.stringify(args) : '')
    }),
  }
}
