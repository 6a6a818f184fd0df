import { userContextHeader, userContextQuery } from '@svc/contract/sandbox'

/** Removes the proof of the caller's identity, which stays with the daemon: no program in the sandbox sees it. */
export function stripContext(headers: NodeJS.Dict<string | string[]>): void {
  delete headers[userContextHeader]
}

/** The rest of the query keeps its exact spelling. */
export function stripContextQuery(url: string): string {
  const at = url.indexOf('?')
  if (at < 0) return url
  const kept = url
    .slice(at + 1)
    .split('&')
    .filter((pair) => pair !== userContextQuery && !pair.startsWith(`${userContextQuery}=`))
  return kept.length === 0 ? url.slice(0, at) : `${url.slice(0, at)}?${kept.join('&')}`
}
