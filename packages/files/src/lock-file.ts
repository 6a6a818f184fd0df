import { readFile, stat, unlink } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { createFile } from './create-file.ts'
import { errorCode } from './error-code.ts'
import { holderText, isHolderAlive, type LockHolder, readHolder } from './lock-holder.ts'

export interface LockOptions {
  /** The time for which a living process that holds the lock is waited for. */
  readonly timeoutMs: number
  /** The refusal when it holds it still; `pid` is null where the file does not say whose it is. */
  readonly refusal: (pid: number | null) => Error
  /** The age at which the lock of a holder that cannot be looked up from here counts as left behind; 0 at once. */
  readonly unseenMs?: number
}

export interface FileLock {
  release(): Promise<void>
}

/**
 * Takes the lock file, which exists as long as it is held. The one of a dead process is removed, under a second lock that
 * is named after the dead one's text: so only one waiter removes it, and never another's fresh lock.
 */
export async function lockFile(path: string, options: LockOptions): Promise<FileLock> {
  const mine = await holderText(process.pid)
  const deadline = Date.now() + options.timeoutMs
  while (!(await createFile(path, mine, { flush: false }))) {
    const found = await read(path)
    // It was released meanwhile.
    if (found === null) continue
    const holder = await readHolder(found)
    if (await isLeftBehind(path, holder, options.unseenMs ?? 0)) await removeLeftBehind(path, found, options)
    else if (Date.now() >= deadline) throw options.refusal(holder?.pid ?? null)
    else await sleep(5 + Math.random() * 15)
  }
  return { release: () => removeIfStill(path, mine) }
}

/** Runs `work` while this process alone holds the lock file. */
export async function whileLocked<T>(path: string, options: LockOptions, work: () => Promise<T>): Promise<T> {
  const lock = await lockFile(path, options)
  try {
    return await work()
  } finally {
    await lock.release()
  }
}

async function isLeftBehind(path: string, holder: LockHolder | null, unseenMs: number): Promise<boolean> {
  const alive = holder && (await isHolderAlive(holder))
  if (alive !== null) return !alive
  const made = await stat(path).catch(() => null)
  return made !== null && Date.now() - made.mtimeMs >= unseenMs
}

async function removeLeftBehind(path: string, text: string, options: LockOptions): Promise<void> {
  const name = await digestOf(text)
  await whileLocked(`${path}.stale-${name}`, options, () => removeIfStill(path, text))
}

async function digestOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Buffer.from(digest).toString('hex').slice(0, 16)
}

async function removeIfStill(path: string, text: string): Promise<void> {
  if ((await read(path)) === text) await unlink(path).catch(() => undefined)
}

async function read(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  })
}
