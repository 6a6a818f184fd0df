import { createHash } from 'node:crypto'
import { canonicalJson } from '@svc/access'
import { sessionCreates, sessions } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { Context } from '../context.ts'
import type { CreatedSession } from './create.ts'
import type { CreateSessionBody } from './create-input.ts'
import { presentSession } from './present.ts'

/** The same request has the same hash, whatever the order of its keys. */
export function requestHash(body: CreateSessionBody): string {
  return createHash('sha256').update(canonicalJson(body)).digest('hex')
}

/** What an earlier request with this key was answered, or would be by now; null when the key is new. */
export async function replay(
  ctx: Pick<Context, 'db'>,
  key: { idempotency_key: string; project_id: string; request_hash: string },
): Promise<CreatedSession | null> {
  const known = await sessions.findIdempotencyKey(ctx.db, key.idempotency_key)
  if (!known) return null
  if (known.project_id !== key.project_id || known.request_hash !== key.request_hash) {
    throw new ServiceError('IDEMPOTENCY_KEY_CONFLICT', 'This Idempotency-Key was used by another request')
  }
  const { session_id } = known
  // Asked for in this order, since a waiting create becomes a session and never the other way round.
  const waiting = await sessionCreates.findBySession(ctx.db, session_id)
  const session = await sessions.findById(ctx.db, session_id)
  if (session && session.deleted_at === null) return { kind: 'created', session: presentSession(session) }
  if (!session && waiting) {
    const { command_id } = waiting
    return { kind: 'queued', status: 'queued', command_id, session_id, reason: 'session_limit' }
  }
  throw new ServiceError(
    'IDEMPOTENCY_KEY_SESSION_DELETED',
    'The session of this Idempotency-Key was deleted; use a new key',
  )
}
