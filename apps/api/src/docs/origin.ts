import type { Context } from 'hono'
import type { AppEnv } from '../parts.ts'

const host = /^[A-Za-z0-9.[\]:_-]{1,255}$/

/** The origin that the client called. The forwarded headers count only when an operator says that a proxy sets them. */
export function requestOrigin(c: Context<AppEnv>, trust_proxy: boolean): string {
  const url = new URL(c.req.url)
  if (!trust_proxy) return url.origin
  const proto = first(c.req.header('X-Forwarded-Proto'))
  const name = first(c.req.header('X-Forwarded-Host'))
  const scheme = proto === 'http' || proto === 'https' ? proto : url.protocol.slice(0, -1)
  return `${scheme}://${name !== undefined && host.test(name) ? name : url.host}`
}

function first(header: string | undefined): string | undefined {
  return header?.split(',')[0]?.trim()
}
