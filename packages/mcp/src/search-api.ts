import MiniSearch from 'minisearch'
import type { ApiDocument, ApiOperation } from './document.ts'
import { inApiWords, stemOf, splitWords } from './words.ts'

export interface FoundOperation {
  readonly method: string
  readonly path: string
  readonly summary: string
}

export type SearchApi = (query: string, limit: number) => readonly FoundOperation[]

/** Ranks the operations by a question in plain words (BM25 over the document's text on each). */
export function createSearch({ operations }: ApiDocument): SearchApi {
  const index = new MiniSearch({
    fields: ['verb', 'operation_id', 'summary', 'description', 'path', 'tags', 'fields'],
    tokenize: splitWords,
    processTerm: stemOf,
    searchOptions: {
      boost: { verb: 2, operation_id: 4, summary: 4, path: 1.5, tags: 1, description: 1, fields: 0.5 },
      prefix: (term) => term.length > 3,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      weights: { prefix: 0.4, fuzzy: 0.2 },
    },
  })
  index.addAll(operations.map((operation, id) => ({ id, ...texts(operation) })))
  return (query, limit) =>
    index
      .search(inApiWords(query))
      .slice(0, limit)
      .flatMap(({ id }) => operations[Number(id)] ?? [])
      .map(({ method, path, summary }) => ({ method, path, summary }))
}

const verbs: Readonly<Record<string, string>> = {
  GET: 'read',
  POST: '',
  PUT: 'set update',
  PATCH: 'update edit',
  DELETE: 'delete',
}

function texts({ method, operationId, summary, description, path, tags, parameters }: ApiOperation) {
  return {
    verb: verbs[method] ?? '',
    operation_id: operationId,
    summary,
    description,
    path,
    tags: tags.join(' '),
    fields: parameters.map(({ name, description: text = '' }) => `${name} ${text}`).join(' '),
  }
}
