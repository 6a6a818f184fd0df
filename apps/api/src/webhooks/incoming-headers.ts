import type { IncomingMessage } from 'node:http'
import type { DeliveredHeaders } from '@svc/services'

/**
 * The headers as the framework would hold them: a repeated header is one value with commas, and a body that is not
 * there is of no type.
 */
export function incomingHeaders({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): DeliveredHeaders {
  const values = new Map<string, string>()
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase()
    const value = rawHeaders[index + 1] ?? ''
    const before = values.get(name)
    values.set(name, before === undefined ? value : `${before}${name === 'cookie' ? '; ' : ', '}${value}`)
  }
  const length = values.get('content-length')
  if (length === '0' || (length === undefined && !values.has('transfer-encoding')))
    values.delete('content-type')
  return {
    get: (name) => values.get(name) ?? null,
    [Symbol.iterator]: () => [...values].sort(([a], [b]) => (a < b ? -1 : 1)).values(),
  }
}
