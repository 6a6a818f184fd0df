import type { ChatRequest } from '../chat-request.ts'
import { turnsOf } from './conversation.ts'
import { fitCall } from './fit-call.ts'
import { say, type Step } from './step.ts'
import { defaultStep } from './default-script.ts'
import { scriptTools } from './tool-names.ts'
import { titleOf } from './words.ts'
import { writtenStep } from './written-script.ts'

const titleRequest = /^Generate a title for this conversation/

/** The next step of the demo model: a pure function of the conversation and of the tools that are offered. */
export function nextStep({ messages, tools }: Pick<ChatRequest, 'messages' | 'tools'>): Step {
  const turns = turnsOf(messages)
  const turn = turns.at(-1)
  if (!turn) return say('There is no message to answer.')
  if (turns.some(({ request }) => titleRequest.test(request))) {
    return { text: titleOf(turn.request.replace(titleRequest, '').replace(/^:?\s*/, '')), call: null }
  }
  const names = new Set((tools ?? []).map((tool) => tool.function.name))
  if (names.size === 0) return say(`You asked: ${titleOf(turn.request)}`)
  const known = scriptTools(names)
  return fitCall(writtenStep(turn, known) ?? defaultStep(turns, known), tools ?? [])
}
