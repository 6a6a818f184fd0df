import type { Context } from '@svc/context'
import { personalSecrets, type RequestedSession, secrets } from '@svc/db'
import { type ErrorCode, ServiceError } from '@svc/errors'
import type { Manifest } from '@svc/manifest'
import { providerNames } from '@svc/sandbox'
import { requirePools } from './require-pools.ts'

interface RequestScope {
  readonly manifest: Manifest | null
  readonly project_id: string
  readonly account_id: string
  /** The person who asks, and may name secrets of their own. */
  readonly user_id: string
}

/**
 * Refuses a request for anything that the session cannot have, and names what there is: a typing error never becomes a
 * session without it.
 */
export async function checkRequested(
  ctx: Pick<Context, 'db' | 'settings'>,
  { manifest, project_id, account_id, user_id }: RequestScope,
  { provider, sandbox_slug, secrets: names, provider_secret_pools: pools }: RequestedSession,
): Promise<void> {
  if (provider !== undefined) requireKnown('provider', [provider], providerNames, 'invalid_request')
  if (sandbox_slug !== undefined) {
    const slugs = ['default', ...(manifest?.sandbox.templates ?? []).map(({ slug }) => slug)]
    requireKnown('sandbox_slug', [sandbox_slug], slugs, 'invalid_request')
  }
  if (names !== undefined && names.length > 0) {
    const shared = await secrets.list(ctx.db, project_id)
    const own = await personalSecrets.list(ctx.db, { project_id, user_id })
    const known = [...new Set([...shared, ...own].map(({ name }) => name))]
    requireKnown('secrets', names, known, 'INVALID_SESSION_SECRETS')
  }
  if (pools !== undefined && Object.keys(pools).length > 0)
    await requirePools(ctx, { project_id, account_id }, pools)
}

function requireKnown(
  field: string,
  asked: readonly string[],
  known: readonly string[],
  code: ErrorCode,
): void {
  const unknown = asked.filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  const list = known.length === 0 ? 'there is none here' : `known here: ${known.join(', ')}`
  throw new ServiceError(
    code,
    `${field}: ${unknown.map((name) => JSON.stringify(name)).join(', ')} is not known; ${list}`,
    {
      issues: unknown.map((name) => ({
        path: field,
        message: `${JSON.stringify(name)} is not known; ${list}`,
      })),
    },
  )
}
