import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { LRUCache } from 'lru-cache'

export interface CloneCacheOptions {
  /** Belongs to this process, and is emptied when it starts. May be deleted at any time. */
  readonly folder: string
  /** The disk space for all answers together; one takes a quarter at the most. */
  readonly max_bytes: number
}

/** The answers to clones, as git gave them: the objects that a commit reaches never change. */
export interface CloneCache {
  /** The caller that opens it closes it. */
  open(git_dir: string, key: string): Promise<FileHandle | null>
  draft(git_dir: string, key: string): CloneDraft
  forget(git_dir: string): void
}

/** An answer that is on its way to a client. Nothing that goes wrong here is that client's trouble. */
export interface CloneDraft {
  write(chunk: Uint8Array): void
  /** The answer was whole. A reader that opens it waits for the disk, no other caller does. */
  keep(): void
  drop(): void
}

/** A client that asks for the same commits asks soon: the sessions of a day, the runs of a CI. */
const keepMs = 60 * 60_000
/** A disk that is this far behind the client is not waited for. */
const maxBehind = 32 * 1024 * 1024

interface KeptClone {
  readonly path: string
  readonly size: number
  /** Resolves once the chunks so far are in the file. */
  readonly written: Promise<void>
}

export async function createCloneCache({ folder, max_bytes }: CloneCacheOptions): Promise<CloneCache> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const kept = new LRUCache<string, KeptClone>({
    maxSize: max_bytes,
    maxEntrySize: Math.max(1, Math.floor(max_bytes / 4)),
    sizeCalculation: ({ size }) => Math.max(1, size),
    ttl: keepMs,
    updateAgeOnGet: true,
    dispose: ({ path }) => remove(path),
  })
  const name = (git_dir: string, key: string) => `${git_dir}\0${key}`

  return {
    async open(git_dir, key) {
      const found = kept.get(name(git_dir, key))
      if (found === undefined) return null
      const file = await found.written.then(() => open(found.path)).catch(() => null)
      if (file === null && kept.peek(name(git_dir, key)) === found) kept.delete(name(git_dir, key))
      return file
    },

    draft(git_dir, key) {
      const path = join(folder, randomUUID())
      const file = createWriteStream(path, { flags: 'wx', mode: 0o600 })
      let size = 0
      const drop = () => {
        if (file.closed) remove(path)
        else file.once('close', () => remove(path)).destroy()
      }
      file.on('error', drop)
      return {
        write(chunk) {
          size += chunk.length
          if (file.destroyed) return
          if (size > kept.maxEntrySize || file.writableLength > maxBehind) drop()
          else file.write(chunk)
        },
        keep() {
          if (file.destroyed) return
          const written = finished(file.end())
          written.catch(drop)
          kept.purgeStale()
          kept.set(name(git_dir, key), { path, size, written })
        },
        drop,
      }
    },

    forget(git_dir) {
      for (const key of kept.keys()) if (key.startsWith(`${git_dir}\0`)) kept.delete(key)
    },
  }
}

function remove(path: string): void {
  void rm(path, { force: true }).catch(() => {})
}
