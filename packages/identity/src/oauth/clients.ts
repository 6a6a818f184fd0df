import { oauth } from '@svc/db'
import { z } from 'zod'
import type { OAuthContext } from './context.ts'

export { commandLineClient, dashboardClient } from '@svc/access'

export const commandLineName = 'The svc command line'
export const dashboardName = 'The svc dashboard'

const issued = /^[0-9a-f-]{36}$/

const Metadata = z.record(z.string(), z.unknown())

/** As RFC 7591 names its fields; undefined for a client that is not registered. */
export async function findOAuthClient(
  ctx: Pick<OAuthContext, 'db'>,
  client_id: string,
): Promise<Record<string, unknown> | undefined> {
  if (!issued.test(client_id)) return undefined
  const row = await oauth.findClient(ctx.db, client_id)
  return row === undefined ? undefined : Metadata.parse(row.metadata)
}

export async function registerOAuthClient(
  ctx: Pick<OAuthContext, 'db' | 'now'>,
  client_id: string,
  metadata: Record<string, unknown>,
): Promise<void> {
  await oauth.insertClient(ctx.db, { client_id, metadata, created_at: ctx.now() })
}
