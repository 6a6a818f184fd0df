import { type SandboxRow, sandboxes, sessions } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { readBackCheckpoint } from '@svc/git'
import { owns } from '@svc/sandbox'
import type { SandboxContext } from '../context.ts'
import { claimSandbox } from './provision/claim.ts'

export type ReleaseContext = Pick<
  SandboxContext,
  'db' | 'locks' | 'log' | 'metrics' | 'provider' | 'repositories' | 'signal'
>

/**
 * Removes the files of a sandbox that has long been stopped, once the checkpoint of its end has been read back. The next start
 * finds that it is gone, and restores the checkpoint into a new one. Files that no checkpoint has stay.
 */
export async function releaseSandbox(ctx: ReleaseContext, input: { session_id: string }): Promise<void> {
  const { session_id } = input
  await claimSandbox(ctx, session_id, async (claim) => {
    const [session, record] = await Promise.all([
      sessions.findById(ctx.db, session_id),
      sandboxes.find(ctx.db, session_id),
    ])
    if (!session || !record || !isReleasable(session, record) || record.external_id === null) return
    if (!owns(ctx.provider, record.provider)) return
    const saved = await isSaved(ctx, session, record.saved_checkpoint)
    await claim.check()
    if (saved) await ctx.provider.destroy(record.external_id)
    else
      ctx.log.warn(
        { session_id },
        'files of a stopped sandbox are kept: its checkpoint could not be read back',
      )
    await claim.write((tx) => sandboxes.patch(tx, session_id, { saved_checkpoint: null }))
  })
}

function isReleasable(
  { status, deleted_at }: Pick<sessions.SessionView, 'status' | 'deleted_at'>,
  { status: record_status, saved_checkpoint, owed, renew }: SandboxRow,
): boolean {
  return (
    status === 'stopped' &&
    deleted_at === null &&
    record_status === 'stopped' &&
    saved_checkpoint !== null &&
    owed === null &&
    !renew
  )
}

async function isSaved(
  ctx: ReleaseContext,
  { project_id, session_id }: Pick<sessions.SessionView, 'project_id' | 'session_id'>,
  number: number | null,
): Promise<boolean> {
  try {
    const store = await ctx.repositories.open({ kind: 'managed', project_id }, { signal: ctx.signal })
    return number !== null && (await readBackCheckpoint(store, { session_id, number }))
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'git_mirror_unavailable') return false
    throw error
  }
}
