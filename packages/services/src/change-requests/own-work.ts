import type { Context } from '@svc/context'
import { authorship, type ChangeRequestRow, type Db } from '@svc/db'
import { ServiceError } from '@svc/errors'

/** A session merges nothing that it or a session of its tree proposed or wrote, unless its agent's grant names the merge. */
export async function refuseSelfMerge(
  db: Db,
  session: { readonly tree_id: string; readonly merge_granted: boolean },
  row: ChangeRequestRow,
): Promise<void> {
  if (session.merge_granted) return
  if (!(await authorship.treesOf(db, row, 'written')).includes(session.tree_id)) return
  throw new ServiceError(
    'CR_SELF_MERGE_REFUSED',
    'A session may not merge its own change request, nor one of a session that it started or was started by; hand it to a person',
    { action: 'project.gitops.merge' },
  )
}

/** People edit and close what their role allows; a session does so to what its own tree proposed. */
export async function requireOwnWork(
  ctx: Pick<Context, 'db' | 'principal'>,
  row: ChangeRequestRow,
): Promise<void> {
  const { principal } = ctx
  if (principal.type !== 'session') return
  if ((await authorship.treesOf(ctx.db, row, 'proposed')).includes(principal.tree_id)) return
  throw new ServiceError(
    'forbidden',
    `A session edits, closes and reopens its own change requests alone, and #${row.number} is not its own; ask a person to do it`,
    { action: 'project.gitops.push' },
  )
}
