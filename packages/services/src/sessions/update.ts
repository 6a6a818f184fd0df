import { audited, type Context, mayAlso, requireActor } from '@svc/context'
import { type Db, jsonb, personalSecrets, sessions } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { ofSession } from './audit.ts'
import { type AccessibleSession, getSessionRow, type SessionInput } from './find-session.ts'
import { shownSession } from './shown.ts'
import { requireKeeper } from './session-access.ts'

export interface UpdateSessionInput extends SessionInput {
  readonly name?: string | null | undefined
  readonly metadata?: Record<string, unknown> | undefined
  readonly labels?: string[] | undefined
  readonly visibility?: 'private' | 'project' | undefined
}

export async function updateSession(
  ctx: Pick<Context, 'db' | 'principal' | 'now' | 'newId' | 'trail' | 'session_connections'>,
  input: UpdateSessionInput,
) {
  const found = await requireKeeper(ctx, input)
  const { visibility } = input
  if (visibility !== undefined) requireSharer(ctx, found)
  const entry = ofSession('updateSession', found.session)
  const details = visibility === undefined ? {} : { visibility }
  await audited(ctx, { ...entry, details }, async (tx) => {
    if (visibility !== undefined) await setVisibility(ctx, tx, found.session, visibility)
    await sessions.patch(tx, input, {
      ...(input.name === undefined ? {} : { name: input.name }),
      ...(input.metadata === undefined ? {} : { metadata: jsonb(input.metadata) }),
      ...(input.labels === undefined ? {} : { labels: input.labels }),
      updated_at: ctx.now(),
    })
    return null
  })
  return shownSession(ctx, await getSessionRow(ctx, input))
}

function requireSharer(ctx: Pick<Context, 'principal'>, { project, session }: AccessibleSession): void {
  const isOwner = session.created_by === requireActor(ctx) && ctx.principal.type !== 'session'
  if (!isOwner && !mayAlso(ctx.principal, 'project.members.manage', project))
    throw new ServiceError(
      'forbidden',
      'Only its owner or a manager of the project may share a session; ask one of them',
      {
        action: 'project.session.start',
      },
    )
}

/**
 * Every person who may start a session in the project drives a shared one, so it gets nothing of one person: no secret,
 * no connection.
 */
async function setVisibility(
  ctx: Pick<Context, 'now' | 'session_connections'>,
  tx: Db,
  session: sessions.SessionView,
  visibility: 'private' | 'project',
): Promise<void> {
  if (visibility === 'private') {
    const updated_at = ctx.now()
    await sessions.patch(tx, session, { visibility, updated_at })
    return
  }
  const shared = await personalSecrets.shareSession(tx, session.session_id, ctx.now())
  // Read after the row was taken, so that no connection is chosen meanwhile.
  const current = (await sessions.find(tx, session)) ?? session
  const personal = (await ctx.session_connections?.personal(tx, current)) ?? []
  if (personal.length > 0)
    throw new ServiceError(
      'PERSONAL_CONNECTOR_CONNECTION_REQUIRES_PRIVATE_SESSION',
      `This session works with connections of its owner (${personal.join(', ')}) and stays private; start another one that works with connections of the project`,
      { connectors: personal },
    )
  if (!shared)
    throw new ServiceError(
      'PERSONAL_SECRET_REQUIRES_PRIVATE_SESSION',
      'This session was given personal secrets or connections of its owner and stays private; share one that was started without them ("secrets": [] when it is created)',
    )
}
