import { userContextQuery } from '@svc/contract'

export interface ProxyRoute {
  readonly external_id: string
  readonly port: number
  readonly path: string
  /** With its `?`, without what only the platform may say; empty when there is none. */
  readonly query: string
}

const shape = /^\/v1\/p\/([^/]{1,255})\/([0-9]{1,5})(\/.*)?$/

/** As measurements name it. */
export const proxyPattern = '/v1/p/:external_id/:port'

/** `/v1/p/{external_id}/{port}/*`, or null for anything else. */
export function proxyRoute(url: string): ProxyRoute | null {
  const mark = url.indexOf('?')
  const whole = mark < 0 ? url : url.slice(0, mark)
  const [, id, port, path = '/'] = shape.exec(whole) ?? []
  if (id === undefined || port === undefined || /\0|%00/.test(whole)) return null
  const external_id = decoded(id)
  if (external_id === null) return null
  return {
    external_id,
    port: Number(port),
    path,
    query: mark < 0 ? '' : withoutUserContext(url.slice(mark + 1)),
  }
}

/** Kept letter by letter apart from the forged part: development servers care for the difference of `?x` and `?x=`. */
function withoutUserContext(query: string): string {
  const kept = query
    .split('&')
    .filter((pair) => decoded((pair.split('=')[0] ?? '').replaceAll('+', ' ')) !== userContextQuery)
  return kept.length === 0 ? '' : `?${kept.join('&')}`
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
