import { useInfiniteQuery } from '@tanstack/react-query'
import { useClient } from '../../sign-in/signed-in.tsx'
import type { SummaryFilter } from './states.ts'

const pageSize = 100

/** The sessions of a project, a hundred at a time. */
export function useSummaries(project_id: string, { mine, ...filter }: SummaryFilter) {
  const { sessions } = useClient().projects
  return useInfiniteQuery({
    queryKey: ['sessions', project_id, { mine, ...filter }],
    queryFn: ({ pageParam }) =>
      sessions.summaries(project_id, {
        ...filter,
        ...(mine === true ? { mine: 'true' } : {}),
        ...(pageParam === null ? {} : { cursor: pageParam }),
        limit: pageSize,
      }),
    initialPageParam: first,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
}

const first: string | null = null
