import { randomBytes } from 'node:crypto'
import { forbidden } from '@svc/context'
import { signIns, userCredentials } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { IdentityContext } from '../../context.ts'
import { countSecondFactor } from '../attempts.ts'
import { recordSignIn } from '../audit.ts'
import { ownself, provePassword, requireOwnHand } from '../auth-user.ts'
import { totpPlace } from '../../sealed-at.ts'
import { openTotpSecret, proveSecondFactor, recoveryHash } from './second-factor.ts'
import { newTotp, totpStep } from './totp.ts'

const recoveryCodes = 10

/** A secret for an authenticator app, shown this once. It counts from the first code that proves it arrived. */
export async function enrolTotp(ctx: IdentityContext, input: { readonly password?: string | undefined }) {
  const { user_id } = requireSignIn(ctx)
  const user = await ownself(ctx)
  await provePassword(ctx, user, input.password, 'password')
  const { secret, uri } = newTotp(randomBytes(20), user.email)
  const place = totpPlace(user_id)
  const { data_key, sealed } = ctx.vault.createDataKey(place)
  const sealed_secret = ctx.vault.seal(data_key, place, secret)
  const totp = { user_id, sealed_data_key: sealed, sealed_secret, created_at: ctx.now() }
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await userCredentials.offerTotp(tx, totp))) {
      throw new ServiceError('conflict', 'Two-factor is on already; disable it first')
    }
    await recordSignIn(ctx, tx, { user_id, action: 'enrolTotp' })
  })
  return { secret, otpauth_uri: uri }
}

/** Turns two-factor on, ends the person's other sign-ins, and hands out the recovery codes, this once. */
export async function confirmTotp(ctx: IdentityContext, input: { readonly code: string }) {
  const { user_id, sign_in } = requireSignIn(ctx)
  const { sign_in_id } = sign_in
  const row = await userCredentials.findTotp(ctx.db, user_id)
  if (!row || row.confirmed_at !== null) {
    throw new ServiceError('conflict', 'Nothing waits to be confirmed; enrol first')
  }
  const giveBack = await countSecondFactor(ctx, user_id)
  const now = ctx.now()
  const step = totpStep(openTotpSecret(ctx, row), input.code.replaceAll(/\s/g, ''), now, null)
  if (step === null)
    throw new ServiceError('invalid_credentials', 'The code is wrong; look at the clock of the device')
  await giveBack()
  const codes = Array.from({ length: recoveryCodes }, newRecoveryCode)
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await userCredentials.confirmTotp(tx, row, step, now))) {
      throw new ServiceError('conflict', 'Nothing waits to be confirmed; enrol first')
    }
    await userCredentials.replaceRecoveryCodes(tx, user_id, codes.map(recoveryHash))
    await signIns.endOfUser(tx, { user_id, keep: sign_in_id }, 'mfa_changed', now)
    await signIns.setMfa(tx, { user_id, sign_in_id }, true)
    await recordSignIn(ctx, tx, { user_id, action: 'confirmTotp' })
  })
  return { recovery_codes: codes }
}

/** Turns two-factor off, with a code of the app or a recovery code. No sign-in counts as one with two factors after it. */
export async function disableTotp(ctx: IdentityContext, input: { readonly code: string }): Promise<void> {
  const { user_id } = requireSignIn(ctx)
  if (!(await proveSecondFactor(ctx, await ownself(ctx), input.code))) {
    throw new ServiceError('conflict', 'Two-factor is off already; there is nothing to do')
  }
  await ctx.db.transaction().execute(async (tx) => {
    await userCredentials.removeTotp(tx, user_id)
    await signIns.setMfa(tx, { user_id }, false)
    await recordSignIn(ctx, tx, { user_id, action: 'disableTotp' })
  })
}

/** Requires a sign-in: a token that was minted and lies about somewhere does not change how its person signs in. */
function requireSignIn(ctx: IdentityContext) {
  const { user_id, sign_in } = requireOwnHand(ctx)
  if (!sign_in)
    throw forbidden('account.sign_in', 'Sign in for this: a minted token does not change the second factor')
  return { user_id, sign_in }
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** 80 random bits in four groups. */
function newRecoveryCode(): string {
  const letters = [...randomBytes(16)].map((byte) => alphabet[byte & 31]).join('')
  return letters.replaceAll(/.{4}(?=.)/g, '$&-')
}
