import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { newSecret, tokenHash } from '@svc/context'
import { type Db, type SignInCodePurpose, type SignInCodeRow, signInCodes } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { tokenPrefix } from '@svc/access'
import type { SignInContext } from '../context.ts'
import { codePlace } from '../../sealed-at.ts'

const lifetimeMs = 10 * 60_000
const attemptsAllowed = 5
const digits = 8

type CodeContext = Pick<SignInContext, 'db' | 'vault' | 'now' | 'newId'>

export interface NewCode extends Pick<SignInCodeRow, 'purpose' | 'email' | 'usable'> {
  readonly name?: string | null
  readonly password_hash?: string | null
  /** The account whose own provider it was. */
  readonly sso_account_id?: string | null
}

/** The code and the link that the mail holds. */
export interface SentCode {
  readonly code: string
  readonly link_token: string
}

/**
 * Keeps a code and a link for an address. An address that gets no mail has a row as well: asking costs the same work,
 * whomever the address belongs to.
 */
export async function newCode(
  ctx: CodeContext,
  { name, password_hash, sso_account_id, ...code }: NewCode,
): Promise<SentCode> {
  const code_id = ctx.newId()
  const sent = {
    code: String(randomInt(10 ** digits)).padStart(digits, '0'),
    link_token: newSecret('svc_lnk_'),
  }
  const place = codePlace(code_id)
  const pepper = randomBytes(32).toString('base64url')
  const { data_key, sealed } = ctx.vault.createDataKey(place)
  const created_at = ctx.now()
  await signInCodes.forgetOld(ctx.db, created_at)
  await signInCodes.put(ctx.db, {
    ...code,
    code_id,
    name: name ?? null,
    password_hash: password_hash ?? null,
    sso_account_id: sso_account_id ?? null,
    sealed_data_key: sealed,
    sealed_pepper: ctx.vault.seal(data_key, place, pepper),
    code_hash: hashOf(sent.code, pepper),
    link_hash: tokenHash(sent.link_token),
    attempts_left: attemptsAllowed,
    created_at,
    expires_at: new Date(created_at.getTime() + lifetimeMs),
  })
  return sent
}

/** The proof that a person brings back from a mail: the code with their address, or the token of the link. */
export type Proof = { readonly email: string; readonly token: string } | { readonly link_token: string }

/** The row that fits. Costs one of its attempts, and leaves it to be used. */
export async function checkCode(
  ctx: CodeContext,
  purpose: SignInCodePurpose,
  proof: Proof,
): Promise<SignInCodeRow> {
  const now = ctx.now()
  if ('link_token' in proof) {
    const { link_token } = proof
    if (tokenPrefix(link_token) !== 'svc_lnk_') throw overOrWrong()
    const row = await signInCodes.attemptLink(ctx.db, { purpose, link_hash: tokenHash(link_token) }, now)
    if (!row?.usable) throw overOrWrong()
    return row
  }
  const row = await signInCodes.attempt(ctx.db, { purpose, email: proof.email }, now)
  if (!row || !fits(ctx, row, proof.token) || !row.usable) throw overOrWrong()
  return row
}

/** Uses the code up, inside the transaction of the act that it allows. */
export async function useCode(ctx: Pick<SignInContext, 'now'>, tx: Db, row: SignInCodeRow): Promise<void> {
  if (!(await signInCodes.use(tx, row.code_id, ctx.now()))) throw overOrWrong()
}

export function overOrWrong(): ServiceError {
  return new ServiceError('otp_expired', 'The code or link is wrong, was used or is over; ask for a new one')
}

function fits(ctx: CodeContext, row: SignInCodeRow, code: string): boolean {
  const place = codePlace(row.code_id)
  const pepper = ctx.vault.open(ctx.vault.openDataKey(row.sealed_data_key, place), place, row.sealed_pepper)
  return timingSafeEqual(hashOf(code.replaceAll(/[\s-]/g, ''), pepper), row.code_hash)
}

/** A hash with a key: eight digits are soon tried out against one without. */
function hashOf(code: string, pepper: string): Buffer {
  return createHmac('sha256', pepper).update(code).digest()
}
