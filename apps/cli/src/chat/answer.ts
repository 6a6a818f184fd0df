import type { RuntimeAction } from '@svc/sdk'
import type { Io } from '../io.ts'
import { ask, canAsk } from '../output/ask.ts'
import { oneLine } from '../output/plain.ts'
import type { AgentRequest, Question } from './agent-request.ts'

const noTerminal = 'There is no terminal at which a person could answer.'

/** The person's answer, or a refusal when no person is at the terminal: a turn must not wait forever for a pipe. */
export async function answerRequest(io: Io, request: AgentRequest): Promise<RuntimeAction> {
  return request.kind === 'permission' ? answerPermission(io, request) : answerQuestions(io, request)
}

async function answerPermission(
  io: Io,
  request: Extract<AgentRequest, { kind: 'permission' }>,
): Promise<RuntimeAction> {
  const { id, kind } = request
  if (!canAsk(io)) return { kind, id, reply: 'reject', message: noTerminal }
  const patterns = request.patterns.map((pattern) => `  ${pattern}\n`).join('')
  for (;;) {
    const reply = await ask(
      io,
      `The agent asks to use ${request.permission}:\n${patterns}[o]nce, [a]lways or [r]eject? `,
    )
    const chosen = reply === null ? 'reject' : replyOf(reply)
    if (chosen !== null) return { kind, id, reply: chosen }
  }
}

export function replyOf(text: string): 'once' | 'always' | 'reject' | null {
  const word = text.trim().toLowerCase()
  if (word === '') return null
  return (['once', 'always', 'reject'] as const).find((reply) => reply.startsWith(word)) ?? null
}

async function answerQuestions(
  io: Io,
  request: Extract<AgentRequest, { kind: 'question' }>,
): Promise<RuntimeAction> {
  const { id, kind, questions } = request
  const answers: string[][] = []
  for (const question of questions) {
    const options = question.options.map((option, index) => `  ${index + 1}  ${oneLine(option)}\n`).join('')
    const reply = await ask(io, `${question.text}\n${options}> `)
    if (reply === null) return { kind, id, reject: true }
    answers.push(chosen(question, reply))
  }
  return { kind, id, answers }
}

/** Options by number or name, separated by commas, or the answer in the person's own words. */
export function chosen({ options }: Question, reply: string): string[] {
  const picked = reply.split(',').map((part) => {
    const word = part.trim().toLowerCase()
    return options[Number(word) - 1] ?? options.find((option) => option.toLowerCase() === word)
  })
  const labels = picked.filter((label) => label !== undefined)
  return labels.length === picked.length ? labels : [reply.trim()]
}
