import { type Context, requireProject, requireUser } from '@svc/context'
import { notificationSettings } from '@svc/db'
import type { WatchLevel } from '@svc/facts'

/** The part of a project that the person is told of. */
export async function getProjectWatch(
  ctx: Pick<Context, 'db' | 'principal' | 'trail'>,
  key: { readonly project_id: string },
): Promise<{ readonly project_id: string; readonly level: WatchLevel }> {
  const { project_id } = await requireProject(ctx, key.project_id, 'project.read')
  const { user_id } = requireUser(ctx)
  const level = await notificationSettings.findWatch(ctx.db, user_id, project_id)
  return { project_id, level: level ?? 'mine' }
}

/** Sets how much of a project the person is told. */
export async function watchProject(
  ctx: Pick<Context, 'db' | 'principal' | 'trail'>,
  { project_id, level }: { readonly project_id: string; readonly level: WatchLevel },
): Promise<{ readonly project_id: string; readonly level: WatchLevel }> {
  const project = await requireProject(ctx, project_id, 'project.read')
  const { user_id } = requireUser(ctx)
  const watch = { project_id: project.project_id, level }
  await notificationSettings.putWatch(ctx.db, { user_id, ...watch })
  return watch
}
