import { whileLocked } from '@svc/files'
import { OperationError } from '../failures.ts'

/** A live process never holds the lock for so long: the work done meanwhile has a bound of its own. */
const abandonedMs = 60_000

/** Runs `work` while no other process holds the file, also where people share one home among machines or containers. */
export async function withFileLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const refusal = () =>
    new OperationError(`another svc holds ${file}`, 'end it, or remove the file if none runs')
  return whileLocked(file, { timeoutMs: 2 * abandonedMs, unseenMs: abandonedMs, refusal }, work)
}
