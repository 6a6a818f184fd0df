import type { Session } from './session.ts'

/** Asks by a form of one property, and answers with a line for the model. */
export async function askQuestion(
  session: Session,
  toolCallId: string,
  { question, options }: { readonly question: string; readonly options: readonly string[] },
): Promise<string> {
  const hasForms = Boolean(session.capabilities.elicitation?.form)
  if (!session.settings.elicitation || !hasForms) return 'The client takes no questions'
  const answer = await session.client.request('elicitation/create', {
    mode: 'form',
    sessionId: session.id,
    toolCallId,
    message: question,
    requestedSchema: {
      type: 'object',
      properties: {
        answer: { type: 'string', title: question, ...(options.length > 0 ? { enum: [...options] } : {}) },
      },
      required: ['answer'],
    },
  })
  if (answer.action !== 'accept') return `The question was answered with ${answer.action}`
  return `The answer: ${JSON.stringify('content' in answer ? answer.content : null)}`
}
