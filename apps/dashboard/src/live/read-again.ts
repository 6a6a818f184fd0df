import type { ChangeEvent } from '@svc/sdk'
import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query'
import { keysAfter } from './keys-after.ts'
import { settled } from './renew.ts'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** Reads what a change says of one row into a list that was read page by page. */
      readonly renew?: ((id: string) => Promise<void>) | undefined
    }
  }
}

/** Changes of one moment are read together. */
const pauseMs = 50

const due = new WeakMap<Query, Set<string>>()

/** Reads again what the page shows of what changed. Of a list of many pages that is a row, and not all that was read. */
export function readAgain(queries: QueryClient, event: ChangeEvent): void {
  for (const queryKey of keysAfter(event))
    for (const query of queries.getQueryCache().findAll({ queryKey }))
      if (event.type === 'changed' && isByRow(query) && namesRow(event))
        void renewSoon(queries, query, event.id)
      else void whole(queries, query)
}

/** A removed row may be told by the id of its project. */
const namesRow = ({ id, project_id }: Extract<ChangeEvent, { type: 'changed' }>) => id !== project_id

const isByRow = (query: Query) => query.meta?.renew !== undefined && query.isActive() && pagesOf(query) > 1

const pagesOf = ({ state }: Query) => (state.data as InfiniteData<unknown> | undefined)?.pages.length ?? 0

async function whole(queries: QueryClient, query: Query): Promise<void> {
  // The next page that a person asked for is not given up for it.
  if (query.state.fetchMeta?.fetchMore !== undefined) await settled(query)
  await queries.invalidateQueries({ queryKey: query.queryKey, exact: true })
}

/** One row after the other; all pages at once where that is fewer requests. */
async function renewSoon(queries: QueryClient, query: Query, id: string): Promise<void> {
  const waiting = due.get(query)
  if (waiting !== undefined) return void waiting.add(id)
  const ids = new Set([id])
  due.set(query, ids)
  try {
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    while (ids.size > 0 && ids.size < pagesOf(query)) {
      const [next = id] = ids
      ids.delete(next)
      await query.meta?.renew?.(next)
    }
    if (ids.size === 0) return
  } catch {
    // What cannot be read by row is read as a whole, which also says why it cannot.
  } finally {
    due.delete(query)
  }
  await whole(queries, query)
}
