import type { AnswerReading } from '../dialect.ts'
import { listOf, objectOf, textOf, texts } from '../kit/json.ts'
import { responseUsage } from './usage.ts'

/** A whole response as it is metered. */
export function readResponseAnswer(answer: unknown): AnswerReading {
  const { usage, output } = objectOf(answer)
  return { usage: responseUsage(usage), finish: finishOf(answer), output: listOf(output).flatMap(itemTexts) }
}

/** `completed`, or why a response is not. */
export function finishOf(response: unknown): string | null {
  const { status, incomplete_details } = objectOf(response)
  return textOf(objectOf(incomplete_details)['reason']) ?? textOf(status)
}

/** The texts of an item of the output. */
function itemTexts(item: unknown): readonly string[] {
  const { content, summary, name, arguments: written, input } = objectOf(item)
  const parts = [...listOf(content), ...listOf(summary)].map(objectOf)
  return [...texts(name, written, input), ...parts.flatMap((part) => texts(part['text'], part['refusal']))]
}
