import { createHash } from 'node:crypto'
import type { Context } from '@svc/context'
import { canonicalJson } from '@svc/facts'
import { type RequestedSession, sessionCreates, sessions } from '@svc/db'
import { type ErrorCode, ServiceError } from '@svc/errors'
import type { CreatedSession } from './create.ts'
import type { CreateSessionBody } from './create-input.ts'
import { shownSession } from '../shown.ts'

/** The fields whose difference has a code of its own, in the order in which they are compared. */
export const conflictCodes = {
  connector_bindings: 'IDEMPOTENCY_CONNECTOR_BINDINGS_CONFLICT',
  secrets: 'IDEMPOTENCY_SECRETS_CONFLICT',
  runtime_context: 'IDEMPOTENCY_RUNTIME_CONTEXT_CONFLICT',
  provider_secret_pools: 'IDEMPOTENCY_PROVIDER_SECRET_POOLS_CONFLICT',
} as const satisfies Readonly<Partial<Record<keyof CreateSessionBody, ErrorCode>>>

type HashedField = keyof typeof conflictCodes
const hashedFields: readonly HashedField[] = [
  'connector_bindings',
  'secrets',
  'runtime_context',
  'provider_secret_pools',
]

/** The request that a key stands for: its caller, and what they asked for. */
export interface KeyedRequest {
  readonly idempotency_key: string
  readonly project_id: string
  readonly created_by: string
  /** The same request has the same hash, whatever the order of its keys. */
  readonly request_hash: string
  readonly field_hashes: Readonly<Record<HashedField, string>>
  /** Of everything together, as keys had it before the fields had hashes of their own. */
  readonly whole_hash: string
}

export function keyedRequest(
  key: Pick<KeyedRequest, 'idempotency_key' | 'project_id' | 'created_by'>,
  body: CreateSessionBody,
  { connector_bindings, secrets, runtime_context, provider_secret_pools }: RequestedSession,
): KeyedRequest {
  const compared = Object.entries(body).filter(([field]) => !(field in conflictCodes))
  return {
    ...key,
    request_hash: hashOf(Object.fromEntries(compared)),
    field_hashes: {
      connector_bindings: hashOf(connector_bindings ?? {}),
      // A list of names is a set; none at all means those of the agent, which is another request than an empty one.
      secrets: hashOf(secrets === undefined ? null : [...new Set(secrets)].sort()),
      runtime_context: hashOf(runtime_context ?? {}),
      provider_secret_pools: hashOf(provider_secret_pools ?? {}),
    },
    whole_hash: hashOf(body),
  }
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex')
}

/** The answer to an earlier request with this key, or what it would be by now; null when the key is new. */
export async function replay(
  ctx: Pick<Context, 'db'>,
  request: KeyedRequest,
): Promise<CreatedSession | null> {
  const known = await sessions.findIdempotencyKey(ctx.db, request.idempotency_key)
  if (!known) return null
  refuseAnother(known, request)
  const { session_id } = known
  // Asked for in this order, since a waiting create becomes a session and never the other way round.
  const waiting = await sessionCreates.findBySession(ctx.db, session_id)
  const session = await sessions.findById(ctx.db, session_id)
  if (session && session.deleted_at === null)
    return { kind: 'created', session: await shownSession(ctx, session) }
  if (!session && waiting) {
    const { command_id } = waiting
    return { kind: 'queued', status: 'queued', command_id, session_id, reason: 'session_limit' }
  }
  throw new ServiceError(
    'IDEMPOTENCY_KEY_SESSION_DELETED',
    'The session of this Idempotency-Key was deleted; use a new key',
  )
}

/** Says nothing of the request that has the key: it may be another caller's, in a project that this one never saw. */
function refuseAnother(known: sessions.IdempotencyKey, request: KeyedRequest): void {
  const { field_hashes } = known
  const own = known.created_by === null || known.created_by === request.created_by
  const hash = field_hashes === null ? request.whole_hash : request.request_hash
  if (!own || known.project_id !== request.project_id || known.request_hash !== hash) {
    throw new ServiceError(
      'IDEMPOTENCY_KEY_CONFLICT',
      'This Idempotency-Key was used by another request; use a new key',
    )
  }
  if (field_hashes === null) return
  const fields = hashedFields.filter((field) => field_hashes[field] !== request.field_hashes[field])
  const [first] = fields
  if (first === undefined) return
  throw new ServiceError(
    conflictCodes[first],
    `This Idempotency-Key was used by this request with different ${fields.join(', ')}; use a new key`,
    { fields },
  )
}
