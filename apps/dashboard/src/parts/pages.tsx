import type { Page } from '@svc/sdk'
import { type InfiniteData, useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query'

type Pages<T> = UseInfiniteQueryResult<InfiniteData<Page<T>, string | undefined>>

interface Options<T> {
  readonly key: readonly unknown[]
  readonly read: (cursor: string | undefined) => PromiseLike<Page<T>>
  /** The pause after which the rows are read again; none for a list that a stream follows. */
  readonly refreshMs?: ((rows: readonly T[]) => number | undefined) | undefined
}

/** A list of the API, read on page by page. */
export function usePages<T>({ key, read, refreshMs }: Options<T>): Pages<T> {
  return useInfiniteQuery({
    queryKey: key,
    queryFn: async ({ pageParam }) => read(pageParam),
    initialPageParam: firstPage,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: ({ state }) =>
      refreshMs?.(state.data?.pages.flatMap(({ items }) => items) ?? []) ?? false,
  })
}

const firstPage: string | undefined = undefined

const pageSize = 50

/** The query of a page after the cursor. */
export function pageOf(cursor: string | undefined): { readonly limit: number; readonly cursor?: string } {
  return { limit: pageSize, ...(cursor === undefined ? {} : { cursor }) }
}

type More = Pick<Pages<unknown>, 'hasNextPage' | 'isFetchingNextPage'> & {
  readonly fetchNextPage: () => unknown
}

export function MoreButton({ pages }: { readonly pages: More }) {
  if (!pages.hasNextPage) return null
  return (
    <button
      type="button"
      className="button"
      disabled={pages.isFetchingNextPage}
      onClick={() => void pages.fetchNextPage()}
    >
      {pages.isFetchingNextPage ? 'Loading…' : 'Older ones'}
    </button>
  )
}
