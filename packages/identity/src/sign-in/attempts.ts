import { createHash } from 'node:crypto'
import { attempts } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { SignInContext } from './context.ts'

interface AttemptLimit {
  readonly name: string
  readonly max: number
  readonly window_ms: number
}

const quarter = 15 * 60_000

/** Wrong passwords for one person from one address, and from everywhere: a stranger locks no person out from afar soon. */
const fromOneAddress: AttemptLimit = { name: 'password-ip', max: 10, window_ms: quarter }
const fromAnywhere: AttemptLimit = { name: 'password', max: 100, window_ms: quarter }
/** Only a person who knows the password gets as far as the second factor. */
const secondFactor: AttemptLimit = { name: 'totp', max: 10, window_ms: 60 * 60_000 }
const mailPause: AttemptLimit = { name: 'mail-minute', max: 1, window_ms: 60_000 }
const mailHour: AttemptLimit = { name: 'mail-hour', max: 10, window_ms: 60 * 60_000 }

/** The table does not tell whom it counts. */
function keyOf({ name }: AttemptLimit, parts: readonly string[]): string {
  return `${name}:${createHash('sha256').update(JSON.stringify(parts)).digest('base64url')}`
}

type Counting = Pick<SignInContext, 'db' | 'now'>

async function take(ctx: Counting, limit: AttemptLimit, parts: readonly string[]) {
  const key = keyOf(limit, parts)
  const now = ctx.now()
  const { attempts: made, until } = await attempts.count(ctx.db, key, limit.window_ms, now)
  const retry_after = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000))
  return { key, retry_after, over: made > limit.max }
}

/**
 * Counted before the password is compared, so that guesses at once do not get around it. Returns a function that takes
 * the count back.
 */
export async function countPasswordAttempt(
  ctx: Counting,
  email: string,
  ip: string | null,
): Promise<() => Promise<void>> {
  const one = await take(ctx, fromOneAddress, [email, ip ?? ''])
  if (one.over) throw tooMany(one.retry_after)
  const all = await take(ctx, fromAnywhere, [email])
  if (all.over) throw tooMany(all.retry_after)
  return () => attempts.giveBack(ctx.db, [one.key, all.key])
}

export async function countSecondFactor(ctx: Counting, user_id: string): Promise<() => Promise<void>> {
  const { key, over, retry_after } = await take(ctx, secondFactor, [user_id])
  if (over) throw tooMany(retry_after)
  return () => attempts.giveBack(ctx.db, [key])
}

/** Counts a mail to the address, whether it belongs to a person or not. */
export async function countMail(ctx: Counting, purpose: string, email: string): Promise<void> {
  for (const limit of [mailPause, mailHour]) {
    const { over, retry_after } = await take(ctx, limit, [purpose, email])
    if (over) {
      throw new ServiceError(
        'over_email_send_rate_limit',
        `A mail to this address was asked for already; look for it, or ask again in ${retry_after} s`,
        { retry_after },
      )
    }
  }
}

function tooMany(retry_after: number): ServiceError {
  return new ServiceError(
    'over_request_rate_limit',
    `Too many attempts to sign in; try again in ${retry_after} s`,
    { retry_after },
  )
}
