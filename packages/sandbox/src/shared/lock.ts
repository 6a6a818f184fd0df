import { whileLocked } from '@svc/files'
import { SandboxError } from '../sandbox-error.ts'

/** Longer than any one operation on a sandbox takes, so that waiting this long means something hangs. */
const timeoutMs = 120_000

/** Runs `work` while this process alone holds the lock file. */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  return whileLocked(path, { timeoutMs, refusal }, work)
}

const refusal = () =>
  new SandboxError('internal', 'Another operation on this sandbox does not end.', { retryable: true })
