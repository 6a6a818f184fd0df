import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { BaseContext } from '@svc/context'
import { archiveObjects, projects, sessionBranches, type SessionBranchRow } from '@svc/db'
import { isBundleOf, removeBranch, type Repository, resolveBranch, writeBundle } from '@svc/git'

type BranchContext = Pick<BaseContext, 'db' | 'objects' | 'repositories' | 'now' | 'log'>

const batch = 50

/**
 * Moves branches of sessions that were deleted before into the object store, and then out of their repositories: each is bundled,
 * the bundle is read back, and the branch is removed where it still is what was bundled and nothing needs it.
 */
export async function sweepSessionBranches(
  ctx: BranchContext,
  kept_ms: number,
  signal: AbortSignal = new AbortController().signal,
): Promise<number> {
  if (kept_ms === 0) return 0
  const before = new Date(ctx.now().getTime() - kept_ms)
  let removed = 0
  for (const row of await sessionBranches.listDue(ctx.db, { before, limit: batch })) {
    if (signal.aborted) break
    try {
      if (await removeOne(ctx, row, signal)) removed += 1
    } catch (error) {
      if (signal.aborted) break
      ctx.log.warn({ err: error, session_id: row.session_id }, 'the branch of a deleted session is kept')
    }
  }
  return removed
}

async function removeOne(ctx: BranchContext, row: SessionBranchRow, signal: AbortSignal): Promise<boolean> {
  const { project_id, session_id, branch_name: branch } = row
  const project = await projects.find(ctx.db, project_id)
  if (!project) return false
  const repository = await ctx.repositories.open({ kind: 'managed', project_id }, { signal })
  const tip = await resolveBranch(repository, branch)
  if (tip !== null && !(row.state === 'bundled' && row.tip === tip)) {
    const default_tip = await resolveBranch(repository, project.default_branch)
    const object_key = await bundle(ctx, repository, { row, tip, default_tip })
    if (!(await keepBundle(ctx, row, { tip, object_key }))) return false
  }
  return ctx.db.transaction().execute(async (tx) => {
    if (!(await sessionBranches.apply(tx, session_id, 'remove', {}, ctx.now()))) return false
    if (tip === null || (await removeBranch(repository, { branch, tip }))) return true
    throw new Error(`The branch ${branch} moved while it was bundled`)
  })
}

/** The row names the bundle from now on, and the one of before no longer. */
async function keepBundle(
  { db, now }: BranchContext,
  { session_id, object_key: before }: SessionBranchRow,
  change: { readonly tip: string; readonly object_key: string },
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    if (!(await sessionBranches.apply(tx, session_id, 'bundle', change, now()))) return false
    await archiveObjects.markNamed(tx, [change.object_key])
    if (before !== null) await archiveObjects.markUnnamed(tx, [before], now())
    return true
  })
}

/** Stores the bundle under the name of its hash, and reads it back. */
async function bundle(
  { db, now, objects }: BranchContext,
  repository: Repository,
  {
    row,
    tip,
    default_tip,
  }: { readonly row: SessionBranchRow; readonly tip: string; readonly default_tip: string | null },
): Promise<string> {
  const { project_id, branch_name: branch } = row
  const folder = await mkdtemp(join(tmpdir(), 'svc-branch-'))
  try {
    const [path, back] = [join(folder, 'bundle'), join(folder, 'back')]
    await writeBundle(repository, { branch, tip }, { default_tip, path })
    const hash = createHash('sha256')
    await pipeline(createReadStream(path), hash)
    const object_key = `branches/${project_id}/${hash.digest('hex')}.bundle`
    await archiveObjects.announce(db, { object_key, bytes: (await stat(path)).size, now: now() })
    await objects.put(object_key, createReadStream(path))
    const stored = await objects.get(object_key)
    if (stored === null) throw new Error(`The object ${object_key} is not there`)
    await pipeline(stored, createWriteStream(back))
    if (!(await isBundleOf(repository, back, { branch, tip })))
      throw new Error(`The object ${object_key} is not the bundle that was stored`)
    return object_key
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
