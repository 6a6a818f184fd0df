import { type Context, recordAudit } from '@svc/context'
import { projects, sandboxes, type SessionEventRow, type sessions } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { z } from 'zod'
import { findReported } from '../../archive/find-archived.ts'
import { endpointOf } from '../../sandboxes/endpoint.ts'
import { ofSession } from '../audit.ts'
import { askDaemon } from '../../sandboxes/daemon-client.ts'
import { serviceKey } from '../../sandboxes/provision/service-key.ts'
import type { SessionInput } from '../find-session.ts'
import { requireDriver } from '../session-access.ts'

export type AskAnswer =
  | { readonly reply: 'once' | 'always' | 'reject'; readonly message?: string | undefined }
  | { readonly option_id: string }
  | { readonly answers: string[][] }
  | { readonly reject: true }

export interface AnswerAskInput extends SessionInput {
  readonly request_id: string
  readonly answer: AskAnswer
}

/**
 * Answers a question or a permission ask that the agent waits for; its outcome is an event. An answer cannot be taken
 * back: the audit event is written first, and a second one when the agent did not take it.
 */
export async function answerAsk(
  ctx: Pick<Context, 'db' | 'principal' | 'now' | 'newId' | 'trail' | 'vault' | 'log' | 'objects'>,
  input: AnswerAskInput,
): Promise<{ ok: true }> {
  const { session } = await requireDriver(ctx, input)
  const { session_id } = session
  const { request_id, answer } = input
  const ask = await findReported(ctx, session_id, [`question:${request_id}`, `permission:${request_id}`])
  if (!ask)
    throw new ServiceError('not_found', 'There is no such pending request of the agent; list the open ones')
  const message = misfit(ask, answer)
  if (message !== null) {
    throw new ServiceError('invalid_request', `The answer ${message}`, { issues: [{ path: '', message }] })
  }
  const entry = ofSession('answerAsk', session, `asks/${request_id}`)
  await recordAudit(ctx, ctx.db, entry)
  try {
    await sendAnswer(ctx, session, { kind: ask.type, id: request_id, ...answer })
  } catch (error) {
    await recordAudit(ctx, ctx.db, { ...entry, outcome: 'failed' })
    throw error
  }
  return { ok: true }
}

const Asked = z.object({ questions: z.array(z.unknown()) })

/** The answer that this ask needs, in words; null when the given one fits. */
function misfit({ type, payload }: Pick<SessionEventRow, 'type' | 'payload'>, answer: AskAnswer) {
  const isLeave = 'reply' in answer || 'option_id' in answer
  if (type === 'permission') return isLeave ? null : 'must be { reply }: this is a permission'
  if (isLeave) return 'must be { answers } or { reject: true }: this is a question'
  const asked = Asked.safeParse(payload)
  if (!('answers' in answer) || !asked.success) return null
  const { length } = asked.data.questions
  return answer.answers.length === length
    ? null
    : `must have one list of answers for each question, of which there ${length === 1 ? 'is 1' : `are ${length}`}`
}

async function sendAnswer(
  ctx: Pick<Context, 'db' | 'vault' | 'log'>,
  session: sessions.SessionView,
  body: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { session_id } = session
  const [project, sandbox] = await Promise.all([
    projects.find(ctx.db, session.project_id),
    sandboxes.find(ctx.db, session_id),
  ])
  if (session.status !== 'running' || !project || !sandbox?.endpoint) throw notPending()
  const outcome = await askDaemon(endpointOf(ctx, project, sandbox), {
    method: 'POST',
    path: '/svc/runtime/act',
    service_key: serviceKey(ctx, project, sandbox),
    body,
    timeout_ms: 10_000,
  }).catch((error: unknown) => {
    ctx.log.warn({ err: error, session_id }, 'an answer did not reach the agent')
    throw new ServiceError('sandbox_unreachable', 'The sandbox did not answer; try again')
  })
  if (outcome.status === 200) return
  if (outcome.status === 400) {
    const { message, options } = Refused.parse(outcome.body)
    throw new ServiceError('invalid_request', message, {
      issues: [{ path: '', message }],
      ...(options === undefined ? {} : { options }),
    })
  }
  if (outcome.status >= 500)
    throw new ServiceError('sandbox_unreachable', 'The agent did not take the answer; try again')
  throw notPending()
}

const Refused = z.object({ message: z.string(), options: z.array(z.unknown()).optional() })

function notPending(): ServiceError {
  return new ServiceError(
    'ASK_NOT_PENDING',
    'The agent does not wait for this answer any more; send it a prompt instead',
  )
}
