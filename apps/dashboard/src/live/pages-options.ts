import type { Page } from '@svc/sdk'
import { infiniteQueryOptions, type InfiniteData, type QueryClient } from '@tanstack/react-query'
import type { Log, RowByRow } from './list-rows.ts'
import { renew } from './renew.ts'

export interface PagedList<T> {
  readonly key: readonly unknown[]
  readonly read: (cursor: string | undefined) => PromiseLike<Page<T>>
  /** The part of it that a change asks for: without it all pages that were read. */
  readonly follow?: RowByRow<T> | Log<T> | undefined
  /** The pause after which the rows are read again; none for a list that a stream follows. */
  readonly refreshMs?: ((rows: readonly T[]) => number | undefined) | undefined
}

/** The query of a list that is read on page by page. */
export function pagesOptions<T>(queries: QueryClient, { key, read, follow, refreshMs }: PagedList<T>) {
  return infiniteQueryOptions<
    Page<T>,
    Error,
    InfiniteData<Page<T>, string | undefined>,
    readonly unknown[],
    string | undefined
  >({
    queryKey: key,
    queryFn: async ({ pageParam }) => read(pageParam),
    initialPageParam: undefined,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: ({ state }) =>
      refreshMs?.(state.data?.pages.flatMap(({ items }) => items) ?? []) ?? false,
    meta: {
      renew: follow === undefined ? undefined : (id: string) => renew(queries, { key, read, follow }, id),
    },
  })
}
