import { ApiError, ConnectionError } from '@svc/sdk'
import { isLoopback } from '@svc/facts'
import type { Target } from '../config/target.ts'
import { OperationError, UsageError } from '../failures.ts'
import { fileStep } from './file-step.ts'
import { nextStep, particulars } from './next-steps.ts'
import { plain } from './plain.ts'

/** The text of a failure on stderr: what happened, what to do next, and the id to report it with. */
export function renderFailure(error: unknown, target: Target | null): string {
  return lines(error, target).map(plain).join('\n')
}

function lines(error: unknown, target: Target | null): string[] {
  if (error instanceof UsageError || error instanceof OperationError) {
    const next = error.next ?? fileStep(error.cause)
    return [`error: ${error.message}`, ...(next === undefined ? [] : [`next: ${next}`])]
  }
  if (error instanceof ApiError) {
    const next = nextStep(error, target)
    return [
      `error: ${error.message} (${[error.code, error.status].filter((part) => part !== null).join(', ')})`,
      ...particulars(error).map((line) => `  ${line}`),
      ...(next === null ? [] : [`next: ${next}`]),
      ...(error.request_id === null ? [] : [`request id: ${error.request_id}`]),
    ]
  }
  if (error instanceof ConnectionError) return connectionLines(error, target)
  return [`error: ${error instanceof Error ? error.message : String(error)}`]
}

const trustIt =
  'if it is a private authority that signed it, name the file of its certificates in NODE_EXTRA_CA_CERTS'

function connectionLines(error: ConnectionError, target: Target | null): string[] {
  const where = target === null ? error.url : `${target.host} at ${target.api_url}`
  const [what, next] = {
    unreachable: [
      `cannot reach ${where}`,
      target !== null && isLoopback(new URL(target.api_url).hostname)
        ? 'start the platform with `npm start`, or choose another host: `svc hosts ls`, `svc hosts use <name>`'
        : 'check the network and `svc hosts info`, or choose another host with `svc hosts use <name>`',
    ],
    timeout: [`${where} did not answer in time`, 'look at the current state before you repeat a change'],
    not_api: [`${where} is not the API`, 'correct the address: svc login --api <url>'],
  }[error.reason]
  const untrusted = /certificate|CERT_|unable to verify/i.test(error.message)
  return [`error: ${what}`, `  ${error.message}`, `next: ${untrusted ? trustIt : next}`]
}
