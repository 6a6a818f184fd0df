import { open, rename, rm, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { randomUUID } from 'node:crypto'
import { OperationError } from '../failures.ts'

const pause = 50
/** A live process never holds the lock for so long: the work done meanwhile has a bound of its own. */
const abandoned = 60_000

/** Runs `work` while no other process holds the file, which exists as long as a process does. */
export async function withFileLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const give_up = Date.now() + 2 * abandoned
  while (!(await createLock(file))) {
    if (Date.now() > give_up)
      throw new OperationError(`another svc holds ${file}`, 'end it, or remove the file if none runs')
    await removeAbandoned(file)
    await sleep(pause)
  }
  try {
    return await work()
  } finally {
    await rm(file, { force: true })
  }
}

async function createLock(file: string): Promise<boolean> {
  try {
    await (await open(file, 'wx', 0o600)).close()
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/**
 * Removes the lock of a process that died. It is moved first, so that of two processes that find it only one moves it.
 */
async function removeAbandoned(file: string): Promise<void> {
  const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
  if (Date.now() - mtimeMs < abandoned) return
  const aside = `${file}.${randomUUID()}`
  await rename(file, aside).catch(() => undefined)
  await rm(aside, { force: true })
}
