import { userContextQuery } from '@svc/contract'

export interface PathAndQuery {
  readonly path: string
  /** With its `?`, without the parameters that only the platform may set; empty when there is none. */
  readonly query: string
}

/** The path and query that a host is asked for; null for anything but a path. */
export function pathAndQuery(url: string): PathAndQuery | null {
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  if (!path.startsWith('/') || /\0|%00/.test(path)) return null
  return { path, query: mark < 0 ? '' : withoutUserContext(url.slice(mark + 1)) }
}

export interface ProxyRoute extends PathAndQuery {
  readonly external_id: string
  readonly port: number
}

const shape = /^\/v1\/p\/([^/]{1,255})\/([0-9]{1,5})(\/.*)?$/

/** `/v1/p/{external_id}/{port}/*`, or null for anything else. */
export function proxyRoute(url: string): ProxyRoute | null {
  const asked = pathAndQuery(url)
  const [, id, port, path = '/'] = shape.exec(asked?.path ?? '') ?? []
  if (asked === null || id === undefined || port === undefined) return null
  const external_id = decoded(id)
  return external_id === null ? null : { external_id, port: Number(port), path, query: asked.query }
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
