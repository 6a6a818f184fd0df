import type { ScimPrincipal } from '@svc/access'
import { type Context, requireEntitlement } from '@svc/context'
import { accounts } from '@svc/db'
import { ServiceError } from '@svc/errors'

/** The context that the verbs of directory sync run with. */
export type ScimContext = Pick<
  Context,
  'db' | 'principal' | 'settings' | 'now' | 'newId' | 'trail' | 'enqueue' | 'log' | 'metrics'
>

/** The account of the path, once the directory's token was found to be its own and its plan to hold `scim`. */
export async function requireDirectory(
  ctx: Pick<Context, 'db' | 'principal' | 'trail'>,
  account_id: string,
): Promise<ScimPrincipal> {
  const { principal, trail } = ctx
  if (principal.type !== 'scim') throw new ServiceError('unauthorized', 'This needs a token of a directory')
  if (trail) trail.subject = { account_id: principal.account_id, project_id: null }
  const account =
    principal.account_id === account_id ? await accounts.findWithPlan(ctx.db, account_id) : undefined
  if (!account) {
    if (trail) trail.denied = true
    throw new ServiceError('not_found', 'There is no such account; list those that you belong to')
  }
  await requireEntitlement(ctx, account, 'scim')
  return principal
}

/** The address of the account's routes, without a slash at the end. */
export function directoryUrl({ settings }: Pick<Context, 'settings'>, account_id: string): string {
  return `${settings.api_url.replace(/\/v1\/?$/, '')}/scim/v2/accounts/${account_id}`
}

export function auditTarget(account_id: string, kind: 'Users' | 'Groups', id: string): string {
  return `scim/v2/accounts/${account_id}/${kind}/${id}`
}
