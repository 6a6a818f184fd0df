import type { ChangeRequestDiff, ChangeRequestWithCost, MergePreview } from '@svc/sdk'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useClient } from '../../sign-in/signed-in.tsx'

export interface Shown {
  readonly cr: ChangeRequestWithCost
  readonly diff: ChangeRequestDiff
  /** Null of one that is not open. */
  readonly preview: MergePreview | null
}

/** The review stays as it was read, so that nothing moves under the reader; beside it the row is followed. */
export function useChangeRequest(project_id: string, number: string) {
  const { changeRequests } = useClient().projects
  const queries = useQueryClient()
  const following = queryOptions<ChangeRequestWithCost>({
    queryKey: ['change-request', project_id, number],
    queryFn: () => changeRequests.get(project_id, number),
  })
  const shown = useQuery<Shown>({
    queryKey: ['change-request-shown', project_id, number],
    queryFn: async () => {
      // All that can be asked at once is; the row is the answer that is followed below.
      const row = queries.fetchQuery(following)
      const [cr, diff, preview] = await Promise.all([
        row,
        changeRequests.diff(project_id, number),
        row.then(({ status }) =>
          status === 'open' ? changeRequests.mergePreview(project_id, number) : null,
        ),
      ])
      return { cr, diff, preview }
    },
    staleTime: Infinity,
    gcTime: 0,
  })
  const latest = useQuery(following)
  const reread = useCallback(async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: ['change-request-shown', project_id, number] }),
      queries.invalidateQueries({ queryKey: ['change-request', project_id, number] }),
      queries.invalidateQueries({ queryKey: ['change-requests', project_id] }),
    ])
  }, [queries, project_id, number])
  const moved =
    shown.data !== undefined &&
    latest.data !== undefined &&
    (latest.data.head_commit_sha !== shown.data.cr.head_commit_sha ||
      latest.data.base_commit_sha !== shown.data.cr.base_commit_sha ||
      latest.data.status !== shown.data.cr.status)
  return { shown, latest: latest.data, moved, reread }
}
