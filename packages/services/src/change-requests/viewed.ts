import { type Context, requireActor } from '@svc/context'
import { viewedFiles } from '@svc/db'
import { type ChangeRequestInput, requireChangeRequest } from './find-change-request.ts'

type ViewedContext = Pick<Context, 'db' | 'principal' | 'now' | 'trail'>

/** The files of a change request that the person has looked at, each with the content that it had then. */
export async function getViewedFiles(ctx: ViewedContext, input: ChangeRequestInput) {
  const { row } = await requireChangeRequest(ctx, input, 'project.read')
  const user_id = requireActor(ctx)
  return { files: await viewedFiles.list(ctx.db, { user_id, cr_id: row.cr_id }) }
}

/** Marks a file as looked at, or no longer so. */
export async function setViewedFile(
  ctx: ViewedContext,
  input: ChangeRequestInput & {
    readonly path: string
    readonly patch_hash: string
    readonly viewed: boolean
  },
) {
  const { row } = await requireChangeRequest(ctx, input, 'project.read')
  const user_id = requireActor(ctx)
  const { path, patch_hash, viewed } = input
  const key = { user_id, cr_id: row.cr_id, path }
  if (viewed) await viewedFiles.put(ctx.db, { ...key, patch_hash, viewed_at: ctx.now() })
  else await viewedFiles.remove(ctx.db, key)
  return { files: await viewedFiles.list(ctx.db, key) }
}
