import { isObject } from '../catalogue/words.ts'
import type { CollectionBinding } from './binding.ts'
import { argsIn } from './fill.ts'
import { pairsOf } from './pairs.ts'

interface Bound {
  readonly body: CollectionBinding['body']
  readonly words: string[]
}

const none: Bound = { body: null, words: [] }

/** The body of a request in a file, by its mode. */
export function bodyOf(body: unknown, type: string | undefined): Bound {
  if (!isObject(body) || body['disabled'] === true) return none
  switch (body['mode']) {
    case 'raw':
      return typeof body['raw'] === 'string' && body['raw'] !== ''
        ? raw(body['raw'], body['options'], type)
        : none
    case 'urlencoded':
      return { body: { mode: 'form', fields: pairsOf(body['urlencoded']) }, words: [] }
    case 'formdata':
      return multipart(body['formdata'])
    case 'file':
      return { body: { mode: 'file', arg: 'body' }, words: [] }
    case 'graphql':
      return graphql(body['graphql'])
    default:
      return none
  }
}

function raw(text: string, options: unknown, type: string | undefined): Bound {
  const language = isObject(options) && isObject(options['raw']) ? options['raw']['language'] : undefined
  const known = { json: 'application/json', xml: 'application/xml', html: 'text/html' }
  const named = Object.entries(known).find(([name]) => name === language)?.[1]
  const media = type ?? named ?? 'text/plain'
  const format = /\bjson\b/i.test(media) ? 'json' : /\b(?:xml|html)\b/i.test(media) ? 'xml' : 'plain'
  return { body: { mode: 'text', type: media, text, format }, words: [] }
}

function multipart(list: unknown): Bound {
  const all: unknown[] = Array.isArray(list) ? list : []
  const isFile = (each: unknown) => isObject(each) && each['type'] === 'file'
  const files = pairsOf(all.filter(isFile)).map(({ name }) => name)
  return {
    body: { mode: 'multipart', fields: pairsOf(all.filter((each) => !isFile(each))), files },
    words: [],
  }
}

/** The query is a program: what an argument puts into it must be plain words. Its variables are JSON. */
function graphql(given: unknown): Bound {
  if (!isObject(given) || typeof given['query'] !== 'string') return none
  const { query, variables } = given
  const json =
    typeof variables === 'string' && variables.trim() !== '' ? variables : JSON.stringify(variables ?? {})
  const text = `{"query":${JSON.stringify(query)},"variables":${json}}`
  return { body: { mode: 'text', type: 'application/json', text, format: 'json' }, words: argsIn(query) }
}
