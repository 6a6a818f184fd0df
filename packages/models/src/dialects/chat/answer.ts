import type { AnswerReading } from '../dialect.ts'
import { listOf, objectOf, textOf, texts } from '../kit/json.ts'
import { chatUsage } from './usage.ts'

/** A whole chat completion as it is metered. */
export function readChatAnswer(answer: unknown): AnswerReading {
  const { usage, choices } = objectOf(answer)
  const all = listOf(choices).map(objectOf)
  return {
    usage: chatUsage(usage),
    finish: textOf(all[0]?.['finish_reason']),
    output: all.flatMap((choice) => messageTexts(choice['message'])),
  }
}

/** The texts that a message, or the delta of one, adds to the output. */
export function messageTexts(message: unknown): readonly string[] {
  const { content, reasoning_content, reasoning, refusal, tool_calls, function_call } = objectOf(message)
  const calls = [...listOf(tool_calls).map((call) => objectOf(call)['function']), function_call]
  return [
    // Providers that send both names send the same text under them.
    ...texts(content, reasoning_content ?? reasoning, refusal),
    ...calls.flatMap((call) => texts(objectOf(call)['name'], objectOf(call)['arguments'])),
    ...listOf(tool_calls).flatMap((call) => texts(objectOf(objectOf(call)['custom'])['input'])),
  ]
}
