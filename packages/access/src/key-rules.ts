/** An account's demands on every new key. */
export interface KeyRules {
  readonly expiry_required: boolean
  /** A key may live this many days at the most; null for any time. */
  readonly max_days: number | null
}

export type KeyVerdict =
  | { readonly kind: 'allowed' }
  | { readonly kind: 'expiry_required' }
  | { readonly kind: 'expiry_too_far'; readonly max_days: number }

const dayMs = 86_400_000

/** A limit of days means that a key without an expiry is beyond it. */
export function judgeExpiry(rules: KeyRules, expires_at: Date | null, now: Date): KeyVerdict {
  const { expiry_required, max_days } = rules
  if (expires_at === null) {
    return expiry_required || max_days !== null ? { kind: 'expiry_required' } : { kind: 'allowed' }
  }
  if (max_days !== null && expires_at.getTime() > now.getTime() + max_days * dayMs) {
    return { kind: 'expiry_too_far', max_days }
  }
  return { kind: 'allowed' }
}

/** The rules of several accounts at once: a user token reaches all of them. */
export function strictest(all: readonly KeyRules[]): KeyRules {
  const days = all.flatMap(({ max_days }) => (max_days === null ? [] : [max_days]))
  return {
    expiry_required: all.some((rules) => rules.expiry_required),
    max_days: days.length === 0 ? null : Math.min(...days),
  }
}
