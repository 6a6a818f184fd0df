import { ServiceError } from '@svc/errors'
import { UpstreamRefusal } from '@svc/upstream/shapes'
import type { Executor } from '../../context.ts'
import { executorUnavailable } from '../no-executor.ts'
import { Answer, SignInBegun, SignInFinished } from './answer.ts'
import { signatureHeader, signRequest, timeHeader } from './signature.ts'

export interface RemoteOptions {
  /** The origin of executors on the internal network. */
  readonly url: string
  readonly key: Buffer
}

/** An executor that answered is taken to be there for so long. */
const trustedMs = 1_000
const readyMs = 3_000
/** As long as a call may take, and the time for which it may wait for its turn. */
const maxRunMs = 330_000

/** Executors that run as processes of their own. One that is gone, or refuses, is `executor_unavailable`. */
export function remoteExecutor({ url, key }: RemoteOptions): Executor {
  let answered_at = Number.NEGATIVE_INFINITY
  let asking: Promise<unknown> | undefined

  const ask = async (path: string, input: object, ms = maxRunMs): Promise<Answer> => {
    const body = JSON.stringify(input)
    const time = Math.floor(Date.now() / 1000)
    const headers = {
      'content-type': 'application/json',
      [timeHeader]: String(time),
      [signatureHeader]: signRequest(key, { method: 'POST', path, body, time }),
    }
    const signal = AbortSignal.timeout(ms)
    try {
      const response = await fetch(`${url}${path}`, {
        ...{ method: 'POST', headers, body, signal },
        redirect: 'error',
      })
      const answer = Answer.parse(await response.json())
      if (answer.kind === 'unavailable') throw new Error(answer.message)
      answered_at = performance.now()
      return answer
    } catch (cause) {
      throw executorUnavailable({ cause })
    }
  }
  const request = async (path: string, input: object): Promise<unknown> => resultOf(await ask(path, input))

  return {
    ready: async () => {
      if (performance.now() - answered_at < trustedMs) return
      asking ??= ask('/ready', {}, readyMs).finally(() => {
        asking = undefined
      })
      await asking
    },
    run: async ({ call_id, attempt_id }, here) => {
      // It reads the row, which is there then.
      if (here?.parts !== undefined && (await here.parts) === undefined) return undefined
      await request('/run', { call_id, attempt_id })
      return undefined
    },
    sync: async ({ project_id, slug }) => void (await request('/sync', { project_id, slug })),
    origin: async ({ project_id, slug }) => textOf(await request('/origin', { project_id, slug })),
    test: async ({ project_id, connection_id }) =>
      refusalOf(await request('/test', { project_id, connection_id })),
    beginSignIn: async ({ project_id, slug, authorization_id, user_id }) =>
      SignInBegun.parse(await request('/sign-in/begin', { project_id, slug, authorization_id, user_id })),
    finishSignIn: async ({ project_id, slug, authorization_id }) =>
      SignInFinished.parse(await request('/sign-in/finish', { project_id, slug, authorization_id })),
    revoke: async ({ project_id, connection_id }) =>
      (await request('/revoke', { project_id, connection_id })) === true,
  }
}

function resultOf(answer: Answer): unknown {
  switch (answer.kind) {
    case 'done':
      return answer.result ?? null
    case 'refused':
      throw new ServiceError(answer.code, answer.message, answer.details)
    case 'upstream':
      throw new UpstreamRefusal(answer.reason, answer.message)
    case 'failed':
    case 'unavailable':
      throw new Error(`The executor failed: ${answer.message}`)
  }
}

const textOf = (result: unknown): string | null => (typeof result === 'string' ? result : null)

function refusalOf(result: unknown): { readonly reason: string; readonly message: string } | null {
  if (typeof result !== 'object' || result === null) return null
  const { reason, message } = { reason: '', message: '', ...result }
  return { reason, message }
}
