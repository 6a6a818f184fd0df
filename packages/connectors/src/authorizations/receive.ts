import { createHash } from 'node:crypto'
import type { BaseContext } from '@svc/context'
import { type AuthorizationRow, connectorAuthorizations, projects } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { sealFor } from '@svc/services'
import { connectUrl } from '../connectors/urls.ts'
import { endSignIn } from './end.ts'
import { codeName, type Returned } from './place.ts'

export interface ReceiveAuthorizationInput {
  readonly state: string
  readonly code?: string | undefined
  readonly iss?: string | undefined
  /** RFC 6749, 4.1.2.1: the issuer's, or the person's, no. */
  readonly error?: string | undefined
  readonly error_description?: string | undefined
}

/**
 * A browser that comes back from an issuer. Its code is kept, sealed, and nothing is done with it: the person who began
 * finishes. The state works once. Gives the page of the dashboard where they go on.
 */
export async function receiveAuthorization(
  ctx: Pick<BaseContext, 'db' | 'vault' | 'settings' | 'now'>,
  input: ReceiveAuthorizationInput,
): Promise<{ readonly url: string }> {
  const { code, iss = null } = input
  const state_hash = createHash('sha256').update(input.state).digest()
  const now = ctx.now()
  const found = await ctx.db.transaction().execute(async (tx) => {
    const row = await connectorAuthorizations.lockPending(tx, state_hash, now)
    if (row === undefined) return null
    if (row.issuer === null) {
      // An aggregator's word in an address proves nothing: it is asked when the person finishes.
      await connectorAuthorizations.markReturned(tx, row.authorization_id)
      return { row, foreign: false }
    }
    const why = refusalIn(input, row)
    if (why !== null || code === undefined) {
      await endSignIn(tx, row, { status: 'failed', error: why ?? 'It came back without a code', now })
      return { row, foreign: iss !== null && iss !== row.issuer }
    }
    const project = await projects.find(tx, row.project_id)
    if (project === undefined) return null
    const returned: Returned = { code, iss }
    const sealed = sealFor(ctx.vault, project, codeName(row.authorization_id), JSON.stringify(returned))
    await connectorAuthorizations.keepCode(tx, row.authorization_id, sealed)
    return { row, foreign: false }
  })
  if (found === null)
    throw new ServiceError(
      'invalid_request',
      'This sign-in is unknown, over or used already; begin it again in the dashboard, or with `svc connectors connect`',
    )
  if (found.foreign)
    throw new ServiceError(
      'invalid_request',
      'The answer names another issuer than the one where this sign-in began; begin it again',
    )
  const { row } = found
  return { url: `${connectUrl(ctx.settings, row)}?authorization=${row.authorization_id}` }
}

function refusalIn(
  { error, error_description, iss }: ReceiveAuthorizationInput,
  { issuer }: AuthorizationRow,
): string | null {
  if (iss !== undefined && iss !== issuer) return `The answer came from ${iss}, and not from ${issuer}`
  if (error === undefined) return null
  const words = error_description === undefined ? '' : ` (${error_description})`
  return `${issuer} answered ${error}${words}`.slice(0, 1000)
}
