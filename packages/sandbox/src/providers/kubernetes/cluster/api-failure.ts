import { z } from 'zod'
import { errorCode, SandboxError } from '../../../sandbox-error.ts'

/** The client's error of an answer that is no success; `body` is a Status object of Kubernetes, or whatever a proxy says. */
const Refusal = z.object({
  code: z.number().int(),
  body: z.unknown(),
  headers: z.record(z.string(), z.string()).catch({}),
})
const Status = z.object({ message: z.string() })

export interface ApiRefusal {
  readonly code: number
  readonly message: string
  readonly retry_after_ms: number | null
}

export function refusalOf(error: unknown): ApiRefusal | null {
  if (!(error instanceof Error)) return null
  const parsed = Refusal.safeParse({ ...error })
  if (!parsed.success) return null
  const { code, body, headers } = parsed.data
  const seconds = Number(headers['retry-after'])
  return {
    code,
    message: messageOf(body) ?? `HTTP ${code}`,
    retry_after_ms: headers['retry-after'] === undefined || Number.isNaN(seconds) ? null : seconds * 1000,
  }
}

function messageOf(body: unknown): string | null {
  if (typeof body === 'string') {
    try {
      return Status.parse(JSON.parse(body)).message
    } catch {
      return null
    }
  }
  return Status.safeParse(body).data?.message ?? null
}

const networkNames = new Set(['AbortError', 'FetchError', 'TimeoutError'])

/** Names what the API server refuses, or that it does not answer. The client's own error shows headers, so it goes no further. */
export function toClusterError(error: unknown, operation: string): SandboxError {
  if (error instanceof SandboxError) return error
  const refusal = refusalOf(error)
  if (refusal !== null) return refused(refusal, operation)
  const text = error instanceof Error ? error.message : String(error)
  if (error instanceof Error && (networkNames.has(error.name) || errorCode(error) !== undefined))
    return new SandboxError('network', `${operation}: the API server of the cluster does not answer: ${text}`)
  return new SandboxError('internal', `${operation}: ${text}`, { cause: error })
}

function refused({ code, message }: ApiRefusal, operation: string): SandboxError {
  const text = `${operation}: ${message}`
  if (code === 408 || code === 429 || code >= 500)
    return new SandboxError(
      'network',
      `${operation}: the API server of the cluster cannot answer now: ${message}`,
    )
  if (code === 403 && /exceeded quota/i.test(message)) return new SandboxError('quota', text)
  if (code === 413) return new SandboxError('quota', text)
  if (code === 401)
    return new SandboxError(
      'internal',
      `${operation}: the cluster does not accept the platform's credentials: ${message}`,
    )
  if (code === 403)
    return new SandboxError('internal', `${text} (infra/kubernetes/rbac.yaml has what the platform needs)`)
  return new SandboxError('internal', text, { retryable: code === 409 })
}
