import type { AnswerReading } from '../dialect.ts'
import { listOf, objectOf, textOf, texts } from '../kit/json.ts'
import { messageUsage } from './usage.ts'

/** A whole message as it is metered. */
export function readMessageAnswer(answer: unknown): AnswerReading {
  const { usage, stop_reason, content } = objectOf(answer)
  return {
    usage: messageUsage(usage),
    finish: textOf(stop_reason),
    output: listOf(content).flatMap(blockTexts),
  }
}

/** The texts that a block of an answer, or a delta of one, adds to the output. */
export function blockTexts(block: unknown): readonly string[] {
  const { text, thinking, name, input, partial_json } = objectOf(block)
  const written = input !== undefined && Object.keys(objectOf(input)).length > 0 ? JSON.stringify(input) : ''
  return texts(text, thinking, name, partial_json, written)
}
