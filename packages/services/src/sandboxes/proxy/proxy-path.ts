import { userContextQuery } from '@svc/contract'

/** A context that a client made up is dropped, since the platform signs its own; the rest of the query stays. */
export function withoutUserContext(path: string): string {
  const url = new URL(path.startsWith('/') ? `http://sandbox${path}` : `http://sandbox/${path}`)
  if (!url.searchParams.has(userContextQuery)) return url.pathname + url.search
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((pair) => !new URLSearchParams(pair).has(userContextQuery))
  return url.pathname + (kept.length === 0 ? '' : `?${kept.join('&')}`)
}
