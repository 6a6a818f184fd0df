import { randomBytes } from 'node:crypto'
import { formatToken, type TokenPrefix } from '@svc/access'
import { type Db, type TokenRow, tokens } from '@svc/db'
import type { BaseContext } from '../context.ts'
import { tokenHash } from './credential.ts'

export interface NewToken {
  readonly kind: Exclude<TokenRow['kind'], 'oauth'>
  readonly name: string
  readonly user_id: string
  /** Of a service account's key, or of a directory's token. */
  readonly account_id?: string
  readonly project_id: string | null
  readonly session_id?: string
  readonly default_branch?: boolean
  readonly expires_at?: Date | null
  /** The key in whose place it comes. */
  readonly rotated_from?: string
}

const prefixes: Readonly<Record<NewToken['kind'], TokenPrefix>> = {
  user: 'svc_pat_',
  project: 'svc_pat_',
  session: 'svc_pat_',
  gateway: 'svc_gw_',
  service: 'svc_sa_',
  scim: 'svc_scim_',
}

export function newSecret(prefix: TokenPrefix): string {
  return formatToken(prefix, randomBytes(32))
}

/** Stores a new token and hands out its secret, which nothing can show again. */
export async function mintToken(
  ctx: Pick<BaseContext, 'now' | 'newId'>,
  db: Db,
  token: NewToken,
): Promise<{ row: TokenRow; secret: string }> {
  const { row, secret } = newToken(ctx, token)
  return { row: await tokens.insert(db, row), secret }
}

/** A token that is about to be stored. */
export function newToken(
  ctx: Pick<BaseContext, 'now' | 'newId'>,
  token: NewToken,
): { row: TokenRow; secret: string } {
  const secret = newSecret(prefixes[token.kind])
  const row = {
    token_id: ctx.newId(),
    kind: token.kind,
    token_hash: tokenHash(secret),
    display_prefix: secret.slice(0, 12),
    name: token.name,
    user_id: token.user_id,
    account_id: token.account_id ?? null,
    project_id: token.project_id,
    session_id: token.session_id ?? null,
    default_branch: token.default_branch ?? false,
    rotated_from: token.rotated_from ?? null,
    expires_at: token.expires_at ?? null,
    last_used_at: null,
    revoked_at: null,
    created_at: ctx.now(),
  }
  return { row, secret }
}
