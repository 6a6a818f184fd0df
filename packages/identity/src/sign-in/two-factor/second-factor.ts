import { createHash } from 'node:crypto'
import { userCredentials } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { countSecondFactor } from '../attempts.ts'
import type { SignInContext } from '../context.ts'
import { totpStep } from './totp.ts'
import { totpPlace } from '../../sealed-at.ts'

type FactorContext = Pick<SignInContext, 'db' | 'vault' | 'now'>

export function openTotpSecret(ctx: Pick<SignInContext, 'vault'>, row: userCredentials.TotpRow): string {
  const place = totpPlace(row.user_id)
  return ctx.vault.open(ctx.vault.openDataKey(row.sealed_data_key, place), place, row.sealed_secret)
}

/** As people type it: capitals and what groups the letters do not count. */
export function recoveryHash(code: string): Buffer {
  const letters = code.toUpperCase().replaceAll(/[^A-Z2-7]/g, '')
  return createHash('sha256').update(letters).digest()
}

/**
 * Asks a person who has a second factor for it. True: it was proved; false: the person has none. A code of the app is
 * taken once, and so is a recovery code.
 */
export async function proveSecondFactor(
  ctx: FactorContext,
  user: Pick<userCredentials.SignInUser, 'user_id' | 'two_factor'>,
  code: string | undefined,
): Promise<boolean> {
  if (!user.two_factor) return false
  if (code === undefined) {
    throw new ServiceError(
      'totp_required',
      'Give the code of your authenticator app as totp_code, or a recovery code',
    )
  }
  const giveBack = await countSecondFactor(ctx, user.user_id)
  if (!(await takeCode(ctx, user.user_id, code))) {
    throw new ServiceError(
      'invalid_credentials',
      'The second factor is wrong or was used before; give the next code of the app, or a recovery code',
    )
  }
  await giveBack()
  return true
}

async function takeCode(ctx: FactorContext, user_id: string, code: string): Promise<boolean> {
  const text = code.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(text)) {
    return userCredentials.takeRecoveryCode(ctx.db, user_id, recoveryHash(text), ctx.now())
  }
  const row = await userCredentials.findTotp(ctx.db, user_id)
  if (!row || row.confirmed_at === null) return false
  const step = totpStep(openTotpSecret(ctx, row), text, ctx.now(), row.last_step)
  return step !== null && userCredentials.takeStep(ctx.db, user_id, step)
}
