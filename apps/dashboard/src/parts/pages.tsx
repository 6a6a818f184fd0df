import { useInfiniteQuery, type UseInfiniteQueryResult, useQueryClient } from '@tanstack/react-query'
import type { ListData } from '../live/list-rows.ts'
import { type PagedList, pagesOptions } from '../live/pages-options.ts'

type Pages<T> = UseInfiniteQueryResult<ListData<T>>

/** A list of the API, read on page by page. */
export function usePages<T>(list: PagedList<T>): Pages<T> {
  return useInfiniteQuery(pagesOptions(useQueryClient(), list))
}

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
