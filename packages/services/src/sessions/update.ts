import { jsonb, personalSecrets, sessions } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { mayAlso, requireActor } from '../access/require.ts'
import type { Context } from '../context.ts'
import { type AccessibleSession, getSessionRow, requireSession, type SessionInput } from './find-session.ts'
import { presentSession } from './present.ts'

export interface UpdateSessionInput extends SessionInput {
  readonly name?: string | null | undefined
  readonly metadata?: Record<string, unknown> | undefined
  readonly labels?: string[] | undefined
  readonly visibility?: 'private' | 'project' | undefined
}

export async function updateSession(
  ctx: Pick<Context, 'db' | 'principal' | 'now'>,
  input: UpdateSessionInput,
) {
  const found = await requireSession(ctx, input, 'project.session.start')
  if (input.visibility !== undefined) await setVisibility(ctx, found, input.visibility)
  await sessions.patch(ctx.db, input, {
    ...(input.name === undefined ? {} : { name: input.name }),
    ...(input.metadata === undefined ? {} : { metadata: jsonb(input.metadata) }),
    ...(input.labels === undefined ? {} : { labels: input.labels }),
    updated_at: ctx.now(),
  })
  return presentSession(await getSessionRow(ctx, input))
}

/** A shared session is driven by everybody who may start one in the project, and so gets nobody's own secrets. */
async function setVisibility(
  ctx: Pick<Context, 'db' | 'principal' | 'now'>,
  { project, session }: AccessibleSession,
  visibility: 'private' | 'project',
): Promise<void> {
  const isOwner = session.created_by === requireActor(ctx) && ctx.principal.type !== 'session'
  if (!isOwner && !mayAlso(ctx.principal, 'project.members.manage', project))
    throw new ServiceError('forbidden', 'Only its owner or a manager of the project may share a session', {
      action: 'project.session.start',
    })
  if (visibility === 'private') {
    const updated_at = ctx.now()
    await sessions.patch(ctx.db, session, { visibility, updated_at })
  } else if (!(await personalSecrets.shareSession(ctx.db, session.session_id, ctx.now())))
    throw new ServiceError(
      'PERSONAL_SECRET_REQUIRES_PRIVATE_SESSION',
      'This session was given personal secrets of its owner and stays private; share one that was started without them ("secrets": [] when it is created)',
    )
}
