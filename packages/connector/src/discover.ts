import MiniSearch from 'minisearch'
import type { Risk } from './shapes.ts'

export const discoverResults = 20

/** An action as discovery finds it. */
export interface DiscoverableAction {
  readonly connector: string
  readonly action: string
  readonly title: string | null
  readonly description: string
  readonly risk: Risk
}

export type Discover<Action extends DiscoverableAction> = (
  query: string,
  options?: { readonly connector?: string | undefined; readonly limit?: number | undefined },
) => readonly Action[]

/**
 * Makes the search over actions: best first (BM25), at most 20. An empty query finds the first ones in their order. The
 * index is made once and asked often.
 */
export function createDiscover<Action extends DiscoverableAction>(
  actions: readonly Action[],
): Discover<Action> {
  const known = new Set<string>()
  const index = new MiniSearch({
    fields: ['action', 'title', 'connector', 'description'],
    tokenize: splitWords,
    processTerm: (term, field) => {
      if (stopWords.has(term)) return null
      if (field !== undefined) known.add(term)
      return term
    },
    searchOptions: {
      boost: { action: 4, title: 3, connector: 2, description: 1 },
      // A word that is there is no misspelling of another one.
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 && !known.has(term) ? 0.2 : false),
      weights: { prefix: 0.5, fuzzy: 0.2 },
    },
  })
  index.addAll(
    actions.map(({ action, title, connector, description }, id) => ({
      id,
      action,
      title: title ?? '',
      connector,
      description: description.slice(0, indexedCharacters),
    })),
  )
  return (query, { connector, limit = discoverResults } = {}) => {
    const wanted = ({ connector: slug }: DiscoverableAction) => connector === undefined || slug === connector
    const max = Math.min(limit, discoverResults)
    const asked = query.slice(0, queryCharacters)
    if (splitWords(asked).length === 0) return actions.filter(wanted).slice(0, max)
    const found: Action[] = []
    for (const { id } of index.search(asked)) {
      const action = actions[Number(id)]
      if (action !== undefined && wanted(action) && found.push(action) >= max) break
    }
    return found
  }
}

const stopWords: ReadonlySet<string> = new Set(
  'a an and are as at be by can do for from how i in is it me my of on or that the this to what which with you'.split(
    ' ',
  ),
)

/** The beginning of a description is enough to find it by, and of a query to ask. */
const indexedCharacters = 1024
const queryCharacters = 256

/** Words of a text and of a name alike: `listOpenIssues` and `list_open_issues` are three. */
function splitWords(text: string): string[] {
  return (
    text
      .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
}
