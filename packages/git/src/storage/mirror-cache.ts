import { readdir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { removeRepository } from './remove-repository.ts'
import { originFile } from './mirror.ts'
import { processAgeMs } from './stale-locks.ts'

export interface MirrorCacheOptions {
  readonly cache_root: string
  /** The disk space for all mirrors together; without it they stay for good. */
  readonly max_bytes?: number | undefined
  /** A mirror opened this lately is in use, whatever the budget says. */
  readonly keep_ms?: number | undefined
  readonly logger?: { warn(details: object, message: string): void } | undefined
}

/** Keeps the mirrors within a budget: whichever was opened the longest ago goes first. */
export interface MirrorCache {
  /** The mirror is being opened. */
  used(git_dir: string): void
  /** The mirror may have grown. Runs by itself; no caller has to wait for it. */
  grown(git_dir: string): Promise<void>
}

/** Longer than any request, and than the merge that a job may still be at. */
const keepMs = 15 * 60_000

export function createMirrorCache(options: MirrorCacheOptions): MirrorCache {
  const { cache_root, max_bytes, keep_ms = keepMs, logger } = options
  const lastUsed = new Map<string, number>()
  const sizes = new Map<string, number>()
  let trimming: Promise<void> | null = null

  const trim = async (budget: number): Promise<void> => {
    const mirrors = await listMirrors(cache_root)
    for (const { git_dir } of mirrors) if (!sizes.has(git_dir)) sizes.set(git_dir, await sizeOf(git_dir))
    const usedAt = (mirror: Mirror) => lastUsed.get(mirror.git_dir) ?? mirror.used_at
    const oldest = [...mirrors].sort((a, b) => usedAt(a) - usedAt(b))
    let total = mirrors.reduce((sum, { git_dir }) => sum + (sizes.get(git_dir) ?? 0), 0)
    for (const mirror of oldest) {
      if (total <= budget) return
      if (Date.now() - usedAt(mirror) < keep_ms) break
      total -= sizes.get(mirror.git_dir) ?? 0
      sizes.delete(mirror.git_dir)
      lastUsed.delete(mirror.git_dir)
      await removeRepository(mirror.git_dir)
    }
    if (total > budget) logger?.warn({ total, budget }, 'the mirrors in use are larger than their budget')
  }

  return {
    used(git_dir) {
      const before = lastUsed.get(git_dir) ?? 0
      const now = Date.now()
      lastUsed.set(git_dir, now)
      // Written down once in a while, so that the order outlives this process.
      if (max_bytes !== undefined && now - before > 60_000) {
        void utimes(join(git_dir, originFile), new Date(now), new Date(now)).catch(() => {})
      }
    },

    async grown(git_dir) {
      if (max_bytes === undefined) return
      sizes.delete(git_dir)
      while (trimming) await trimming
      trimming = trim(max_bytes).finally(() => {
        trimming = null
      })
      await trimming
    },
  }
}

interface Mirror {
  readonly git_dir: string
  readonly used_at: number
}

async function listMirrors(cache_root: string): Promise<Mirror[]> {
  const names = (await readdir(cache_root)).filter((name) => name.endsWith('.git'))
  return Promise.all(
    names.map(async (name) => {
      const git_dir = join(cache_root, name)
      const found = await stat(join(git_dir, originFile)).catch(() => null)
      return { git_dir, used_at: found?.mtimeMs ?? 0 }
    }),
  )
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  let bytes = 0
  for (const entry of entries) {
    if (!entry.isFile()) continue
    bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => null))?.size ?? 0
  }
  return bytes
}

/** Halves of folders that a process left when it died while it made or removed a mirror. */
export async function clearLeftovers(cache_root: string): Promise<void> {
  const began = Date.now() - processAgeMs()
  for (const name of await readdir(cache_root)) {
    if (!/^(removed|draft|home-draft)-[0-9a-f-]{36}$/.test(name)) continue
    const path = join(cache_root, name)
    const found = await stat(path).catch(() => null)
    if (found !== null && found.mtimeMs < began) await rm(path, { recursive: true, force: true })
  }
}
