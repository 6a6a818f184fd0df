import { ServiceError } from '@svc/errors'
import { UpstreamRefusal } from '@svc/upstream'
import { z } from 'zod'
import type { Executor } from '../../context.ts'
import type { Answer } from './answer.ts'
import { isSigned, type SignedRequest } from './signature.ts'

const Project = z.object({ project_id: z.uuid() })
const Call = z.object({ call_id: z.uuid(), attempt_id: z.uuid() })
const Named = Project.extend({ slug: z.string().min(1) })
const Authorized = Named.extend({ authorization_id: z.uuid() })
const Beginning = Authorized.extend({ user_id: z.uuid().nullable() })
const Connected = Project.extend({ connection_id: z.uuid() })

export interface AnswerOptions {
  readonly executor: Executor
  /** Of the master key, and of those that are being replaced. */
  readonly keys: readonly Buffer[]
  readonly now: () => Date
  /** Called with the error of a defect. */
  readonly onFailure: (error: unknown) => void
}

/** Does what the API asks for, once the signature was found to be its own. */
export async function answerRequest(
  { executor, keys, now, onFailure }: AnswerOptions,
  request: SignedRequest,
  signature: string,
): Promise<Answer> {
  if (!isSigned(keys, request, signature, now()))
    return {
      kind: 'unavailable',
      message:
        'The signature of the request is wrong or older than a minute: give API and executor the same SVC_MASTER_KEY, and set their clocks',
    }
  try {
    return { kind: 'done', result: await perform(executor, request) }
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'executor_unavailable')
      return { kind: 'unavailable', message: error.message }
    if (error instanceof ServiceError)
      return {
        kind: 'refused',
        code: error.code,
        message: error.message,
        details: error.details,
      }
    if (error instanceof UpstreamRefusal)
      return { kind: 'upstream', reason: error.reason, message: error.message }
    onFailure(error)
    return { kind: 'failed', message: 'its log says why' }
  }
}

function perform(executor: Executor, { path, body }: SignedRequest): Promise<unknown> {
  const input: unknown = JSON.parse(body)
  switch (path) {
    case '/ready':
      return executor.ready()
    case '/run':
      return executor.run(Call.parse(input)).then(() => null)
    case '/sync':
      return executor.sync(Named.parse(input))
    case '/origin':
      return executor.origin(Named.parse(input))
    case '/test':
      return executor.test(Connected.parse(input))
    case '/sign-in/begin':
      return executor.beginSignIn(Beginning.parse(input))
    case '/sign-in/finish':
      return executor.finishSignIn(Authorized.parse(input))
    case '/revoke':
      return executor.revoke(Connected.parse(input))
    default:
      throw new ServiceError(
        'not_found',
        `An executor has no ${path}; run the API and the executor of one release`,
      )
  }
}
