import { counted } from '@svc/facts'
import type { AskAnswer } from '@svc/sdk'
import { UsageError } from '../failures.ts'
import { oneLine } from '../output/plain.ts'
import type { AgentRequest } from './agent-request.ts'
import { chosen, replyOf } from './answer.ts'

export interface GivenAnswer {
  readonly answers: readonly string[]
  readonly reject?: true
  readonly message?: string
}

/** The answer of a command line to a request, or a UsageError that tells what would fit. */
export function answerTo(request: AgentRequest, { answers, reject, message }: GivenAnswer): AskAnswer {
  if (request.kind === 'permission') {
    const [word = '', ...more] = reject ? ['reject'] : answers
    const reply = more.length > 0 ? null : replyOf(word)
    if (reply === null) throw new UsageError('this asks for a permission; answer with once, always or reject')
    if (message !== undefined && reply !== 'reject')
      throw new UsageError('--message goes with a permission that is rejected; leave it out')
    return { reply, ...(message === undefined ? {} : { message }) }
  }
  if (message !== undefined)
    throw new UsageError('--message goes with a permission that is rejected; leave it out')
  if (reject) return { reject: true }
  const { questions } = request
  if (answers.length !== questions.length) {
    const asked = questions.map(({ text }, index) => `${index + 1}. ${oneLine(text)}`).join(' ')
    throw new UsageError(
      `the agent asks ${counted(questions.length, 'question')}: ${asked}`,
      'give one answer for each, quoted; options by number or name, several separated by commas',
    )
  }
  return { answers: questions.map((question, index) => chosen(question, answers[index] ?? '')) }
}
