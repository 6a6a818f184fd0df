import { readFile } from 'node:fs/promises'
import { replaceFile } from '@svc/files'
import { join } from 'node:path'
import { isDamaged } from './damage.ts'
import { initBare, isRepository } from './init-bare.ts'
import { removeRepository } from './remove-repository.ts'
import { branchRef } from '../refs/ref-name.ts'
import { sameBranches } from '../parse/listing.ts'
import type { Remote } from '../remote/remote.ts'
import { type Repository, tryGit } from '../repository.ts'
import { clearStaleLocks } from './stale-locks.ts'
import { tips } from '../refs/tips.ts'

/** The file with the address that the mirror was filled from; absent until it was filled once. */
export const originFile = 'svc-origin'

export async function mirroredFrom(git_dir: string): Promise<string | null> {
  return readFile(join(git_dir, originFile), 'utf8').catch(() => null)
}

export interface Refresh {
  readonly repo_url: string
  readonly signal: AbortSignal
}

const rebuilds = 3

/** Brings a mirror up to its remote, from nothing when it was lost or damaged. True when it grew. */
export async function refreshMirror(mirror: Repository, remote: Remote, refresh: Refresh): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await refreshOnce(mirror, remote, refresh)
    } catch (error) {
      refresh.signal.throwIfAborted()
      if (attempt === rebuilds || !(await isDamaged(mirror, textOf(error)))) throw error
      await removeRepository(mirror.git_dir)
    }
  }
}

const textOf = (error: unknown): string =>
  error instanceof Error ? `${error.message} ${textOf(error.cause)}` : ''

/** Refreshes once; without a difference this costs one listing and no transfer. */
async function refreshOnce(
  mirror: Repository,
  remote: Remote,
  { repo_url, signal }: Refresh,
): Promise<boolean> {
  await prepare(mirror, repo_url)
  const listing = await remote.list(signal)
  const differs = !sameBranches(listing.branches, await tips(mirror))
  if (differs) {
    await clearStaleLocks(mirror.git_dir, { older_than_ms: 10_000 })
    await remote.fetch()
  }
  const head = listing.head === null ? null : branchRef(listing.head)
  if (head !== null) await setHead(mirror, head)
  await writeOrigin(mirror.git_dir, repo_url)
  return differs
}

/** An address that changed means another repository: nothing of the old one stays readable. */
async function prepare(mirror: Repository, repo_url: string): Promise<void> {
  const origin = await mirroredFrom(mirror.git_dir)
  const whole = await isRepository(mirror.git_dir)
  if (whole && origin === repo_url) return
  if (!whole || origin !== null) await removeRepository(mirror.git_dir)
  await initBare(mirror, 'refs/heads/main')
}

async function setHead(mirror: Repository, ref: string): Promise<void> {
  const head = await readFile(join(mirror.git_dir, 'HEAD'), 'utf8').catch(() => '')
  if (head.trim() !== `ref: ${ref}`) await tryGit(mirror, ['symbolic-ref', 'HEAD', ref])
}

async function writeOrigin(git_dir: string, repo_url: string): Promise<void> {
  if ((await mirroredFrom(git_dir)) === repo_url) return
  await replaceFile(join(git_dir, originFile), repo_url, { mode: 0o666 })
}
