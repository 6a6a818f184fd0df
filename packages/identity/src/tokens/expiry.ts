import { judgeExpiry, type KeyRules } from '@svc/access'
import type { Context } from '@svc/context'
import type { AccountRow } from '@svc/db'
import { ServiceError } from '@svc/errors'

export function rulesOf(account: Pick<AccountRow, 'key_expiry_required' | 'key_max_days'>): KeyRules {
  return { expiry_required: account.key_expiry_required, max_days: account.key_max_days }
}

/** The instant that a new key ends at, if any; refuses what the rules of its account do not allow. */
export function requireExpiry(
  ctx: Pick<Context, 'now'>,
  rules: KeyRules,
  text: string | undefined,
): Date | null {
  const expires_at = text === undefined ? null : new Date(text)
  const now = ctx.now()
  if (expires_at !== null && expires_at <= now) {
    throw new ServiceError('invalid_request', 'expires_at lies in the past; give a time to come', {
      issues: [{ path: 'expires_at', message: 'must lie in the future' }],
    })
  }
  const verdict = judgeExpiry(rules, expires_at, now)
  switch (verdict.kind) {
    case 'allowed':
      return expires_at
    case 'expiry_required':
      throw new ServiceError(
        'expiry_required',
        'This account wants an expiry on every key: give expires_at',
        {
          max_days: rules.max_days,
        },
      )
    case 'expiry_too_far':
      throw new ServiceError(
        'expiry_too_far',
        `This account lets a key live for ${verdict.max_days} days at the most: give an earlier expires_at`,
        { max_days: verdict.max_days },
      )
  }
}
