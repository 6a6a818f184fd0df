import type { KeyLimits } from '@svc/db'

/** Limits as a body names them: what is absent stays, null lifts. */
export type LimitsChange = { readonly [Name in keyof KeyLimits]?: KeyLimits[Name] | undefined }

const none: KeyLimits = {
  requests_per_minute: null,
  tokens_per_minute: null,
  concurrency: null,
  models: null,
}

export function changedLimits(change: LimitsChange, before: KeyLimits = none): KeyLimits {
  const { requests_per_minute, tokens_per_minute, concurrency, models } = change
  return {
    requests_per_minute: kept(requests_per_minute, before.requests_per_minute),
    tokens_per_minute: kept(tokens_per_minute, before.tokens_per_minute),
    concurrency: kept(concurrency, before.concurrency),
    models: kept(models, before.models),
  }
}

function kept<T>(now: T | undefined, before: T): T {
  return now === undefined ? before : now
}
