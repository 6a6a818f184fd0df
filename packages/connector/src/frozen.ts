import { createHash } from 'node:crypto'
import { canonicalJson } from '@svc/facts'
import type { JsonObject } from './shapes.ts'

/** All that a person decides on when they approve a call: what differs in any of it is another call. */
export interface FrozenCall {
  readonly project_id: string
  /** null where no session asks. */
  readonly session_id: string | null
  readonly connector: string
  readonly definition_digest: string
  readonly provider: string
  /** The address that the manifest names, else the origin of its connection; null where the platform sends to none. */
  readonly address: string | null
  readonly action: string
  /** Of the request that the action stands for, and of what it says of itself. */
  readonly action_digest: string
  readonly args: JsonObject
  readonly connection_id: string | null
}

/** The one text of a call that waits (RFC 8785), which is sealed and which `digest` is of. */
export function frozenForm(call: FrozenCall): string {
  const { project_id, session_id, connector, definition_digest, provider, address, action } = call
  const { action_digest, args, connection_id } = call
  const frozen = { v: 1, project_id, session_id, connector, definition_digest, provider, address, action }
  return canonicalJson({ ...frozen, action_digest, args, connection_id })
}

/** SHA-256 of a text in hex: 64 characters. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** The digest of what was asked for, the same for equal arguments: an equal call while one waits is that call. */
export function requestDigest(request: Pick<FrozenCall, 'connector' | 'action' | 'args'>): string {
  const { connector, action, args } = request
  return digestOf(canonicalJson({ connector, action, args }))
}
