import type { JsonObject } from '@svc/connector'
import { isObject, requireFewer, unreadable } from '../catalogue/words.ts'
import { parsedDocument } from '../openapi/document.ts'

export interface CollectionFile {
  readonly variables: Readonly<Record<string, string>>
  /** Each with `name`, `description` and `request`, in the order of the file; folders are flattened. */
  readonly items: readonly JsonObject[]
}

/**
 * The requests of a Postman collection 2.0 or 2.1, without its scripts, its auth and the answers that it keeps. Throws
 * `UpstreamRefusal` for another file.
 */
export function collectionFile(bytes: Buffer): CollectionFile {
  const file = parsedDocument(bytes)
  // The API of the makers wraps it once more.
  const collection = isObject(file) && isObject(file['collection']) ? file['collection'] : file
  if (!isObject(collection) || !Array.isArray(collection['item']))
    throw unreadable('The document is no Postman collection: export one as Collection v2.1.')
  const info = isObject(collection['info']) ? collection['info'] : {}
  const { schema } = info
  if (typeof schema === 'string' && !/\/v2\.[01]\./.test(schema))
    throw unreadable('The collection is of another version: export it as Collection v2.1.')
  return { variables: variablesOf(collection['variable']), items: itemsOf(collection['item']) }
}

function itemsOf(list: readonly unknown[]): JsonObject[] {
  const found: JsonObject[] = []
  const waiting: unknown[] = list.toReversed()
  for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
    if (!isObject(item)) continue
    const { item: inner, name, request } = item
    if (Array.isArray(inner)) waiting.push(...reversed(inner))
    else if (isObject(request) || typeof request === 'string') {
      const { auth: _, ...plain } = isObject(request) ? request : { url: request, method: 'GET' }
      found.push({ name, description: item['description'], request: plain })
      requireFewer(found.length, 'requests')
    }
  }
  return found
}

/** A folder of very many is more than a function takes as arguments; so many requests are refused. */
function reversed(list: readonly unknown[]): unknown[] {
  requireFewer(list.length, 'requests')
  return list.toReversed()
}

/** A longer value is no default: its variable has to be given. */
const maxValue = 1_000

function variablesOf(list: unknown): Record<string, string> {
  return Object.fromEntries(
    (Array.isArray(list) ? list : []).flatMap((each: unknown): [string, string][] => {
      if (!isObject(each) || each['disabled'] === true) return []
      const name = each['key'] ?? each['id']
      const value = each['value']
      const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      return typeof name === 'string' && isText && value !== '' && String(value).length <= maxValue
        ? [[name, String(value)]]
        : []
    }),
  )
}
