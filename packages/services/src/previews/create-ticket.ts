import { randomBytes } from 'node:crypto'
import {
  audited,
  type Context,
  newSecret,
  requireActor,
  storedCredential,
  tokenHash,
  unauthorized,
} from '@svc/context'
import { limits } from '@svc/contract'
import { previews } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { ofSession } from '../sessions/audit.ts'
import type { SessionInput } from '../sessions/find-session.ts'
import { requirePreview } from './authorize.ts'

export interface PreviewTicketInput extends SessionInput {
  readonly port: number
  /** The caller's token: its rights are checked again at each request of the preview. */
  readonly credential: string
}

/** Makes an address at which a browser sees one port of a session, for a ticket that works once. */
export async function createPreviewTicket(
  ctx: Pick<Context, 'db' | 'principal' | 'now' | 'newId' | 'trail' | 'settings'>,
  { port, credential: token, ...key }: PreviewTicketInput,
): Promise<{ url: string; expires_at: string }> {
  const user_id = requireActor(ctx)
  const { session } = await requirePreview(ctx, { ...key, port })
  const place = ctx.settings.previews
  if (!place) throw hostMissing()
  const credential = storedCredential(token)
  if (credential === null) throw unauthorized()

  const label = randomBytes(16).toString('hex')
  const ticket = newSecret('svc_prv_')
  const created_at = ctx.now()
  const expires_at = new Date(created_at.getTime() + limits.previewTicketSeconds * 1000)
  const entry = { ...ofSession('createPreviewTicket', session, `previews/${port}`), details: { port } }
  const preview = {
    ...{ label, session_id: session.session_id, port, user_id },
    ...{ credential_prefix: credential.prefix, credential_hash: credential.hash },
    ...{ state: 'ticket' as const, secret_hash: tokenHash(ticket), created_at, expires_at },
  }
  await audited(ctx, entry, async (tx) => {
    await previews.insert(tx, preview, limits.previewsPerPerson)
    return null
  })
  const url = `${place.scheme}://${label}.${place.host}/?ticket=${ticket}`
  return { url, expires_at: expires_at.toISOString() }
}

function hostMissing(): ServiceError {
  return new ServiceError(
    'preview_host_missing',
    'This platform has no host name for previews: its operator gives it one with SVC_PREVIEW_HOST. Until then `svc sessions preview --open` shows the port through a proxy on your machine',
  )
}
