import { isOwnApp } from '@svc/access'
import { type Context, denied, requireUser } from '@svc/context'
import { authentications } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { ConnectorContext } from '../context.ts'

export interface DecidingPerson {
  readonly user_id: string
  readonly sign_in_id: string | null
}

/** A person by a sign-in of their own, or of an app of the platform. No key that was minted decides, whosever it is. */
export function requirePerson(ctx: Pick<Context, 'principal' | 'trail'>): DecidingPerson {
  const { principal } = ctx
  if (principal.type === 'user') {
    const { user_id, sign_in, oauth } = principal
    if (sign_in !== undefined) return { user_id, sign_in_id: sign_in.sign_in_id }
    if (oauth !== undefined && isOwnApp(oauth.client_id)) return { user_id, sign_in_id: null }
  }
  throw denied(ctx, personRequired())
}

/** The same, where the person proved who they are a short while ago. */
export async function requireFreshPerson(
  ctx: Pick<ConnectorContext, 'db' | 'principal' | 'trail' | 'now' | 'connector_settings'>,
): Promise<DecidingPerson> {
  const person = requirePerson(ctx)
  const { sign_in_id } = person
  const { browser_session_id, token_id } = requireUser(ctx)
  const at = await authentications.timeOf(
    ctx.db,
    sign_in_id !== null
      ? { sign_in_id }
      : browser_session_id !== undefined
        ? { browser_session_id }
        : { access_token_id: token_id },
  )
  if (at === undefined) throw denied(ctx, personRequired())
  const max_age_seconds = ctx.connector_settings.approval_sign_in_minutes * 60
  if (ctx.now().getTime() - at.getTime() <= max_age_seconds * 1000) return person
  throw denied(
    ctx,
    new ServiceError(
      'fresh_sign_in_required',
      `You signed in more than ${max_age_seconds / 60} minutes ago; sign in again to decide`,
      { max_age_seconds },
    ),
  )
}

function personRequired(): ServiceError {
  return new ServiceError(
    'person_required',
    'A person decides this with a sign-in of their own: in the dashboard, or after svc login. Tokens, service accounts and agents do not',
  )
}
