import { readlink } from 'node:fs/promises'
import { identify, isAlive, type ProcessIdentity, readBootId } from './process-identity.ts'

/** The process that holds a lock file. */
export interface LockHolder extends ProcessIdentity {
  /** The machine and the space of process ids that `pid` is one of; null in files of earlier releases. */
  readonly place: string | null
}

/** The text of a lock file, with a nonce, so that no two are alike. */
export async function holderText(pid: number): Promise<string> {
  const [self, place] = await Promise.all([identify(pid), ownPlace()])
  return JSON.stringify({ pid, began: self?.began ?? '', nonce: crypto.randomUUID(), place })
}

/** The holder that the text names; null for one that names none. */
export async function readHolder(text: string): Promise<LockHolder | null> {
  // `<pid> <start>`, as earlier releases claimed a data directory.
  const [, earlier, start] = /^(\d+) (\d+)$/.exec(text) ?? []
  if (earlier !== undefined)
    return { pid: Number(earlier), began: `${await readBootId()}:${start}`, place: null }
  const found = parsed(text)
  if (typeof found !== 'object' || found === null || !('pid' in found) || !('began' in found)) return null
  const { pid, began } = found
  if (typeof pid !== 'number' || typeof began !== 'string') return null
  return { pid, began, place: 'place' in found && typeof found.place === 'string' ? found.place : null }
}

/** Null when that cannot be known from here: the holder is on another machine, or in another container. */
export async function isHolderAlive(holder: LockHolder): Promise<boolean | null> {
  return holder.place === null || holder.place === (await ownPlace()) ? isAlive(holder) : null
}

async function ownPlace(): Promise<string> {
  return `${await readBootId()} ${await readlink('/proc/self/ns/pid').catch(() => '')}`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
