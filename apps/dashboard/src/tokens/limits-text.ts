import type { GatewayKey } from '@svc/sdk'

/** The limits of a gateway key in a line; what has no limit is left out. */
export function limitsText({
  requests_per_minute,
  tokens_per_minute,
  concurrency,
  models,
}: GatewayKey['limits']): string {
  const count = (value: number | null, words: string, one = words) =>
    value === null ? [] : [`${value.toLocaleString('en')} ${value === 1 ? one : words}`]
  const all = [
    ...count(requests_per_minute, 'requests a minute', 'request a minute'),
    ...count(tokens_per_minute, 'tokens a minute', 'token a minute'),
    ...count(concurrency, 'at a time'),
    ...(models === null ? [] : [models.length === 0 ? 'no model' : models.join(', ')]),
  ]
  return all.length === 0 ? 'none' : all.join(' · ')
}
