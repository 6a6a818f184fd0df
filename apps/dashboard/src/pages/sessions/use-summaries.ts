import type { SessionSummary } from '@svc/sdk'
import { usePages } from '../../parts/pages.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import type { SummaryFilter } from './states.ts'

const pageSize = 100

/** The sessions of a project, a hundred at a time, the newest first. */
export function useSummaries(project_id: string, { mine, ...filter }: SummaryFilter) {
  const { sessions } = useClient().projects
  const query = { ...filter, ...(mine === true ? { mine: 'true' as const } : {}) }
  return usePages<SessionSummary>({
    key: ['sessions', project_id, { mine, ...filter }],
    read: async (cursor) => {
      const page = { ...query, ...(cursor === undefined ? {} : { cursor }), limit: pageSize }
      const { sessions: items, next_cursor } = await sessions.summaries(project_id, page)
      return { items, next_cursor }
    },
    follow: {
      idOf: ({ session_id }) => session_id,
      read: async (session_id) =>
        (await sessions.summaries(project_id, { ...query, session_id })).sessions[0] ?? null,
      isBefore: (row, other) =>
        row.created_at === other.created_at
          ? row.session_id > other.session_id
          : row.created_at > other.created_at,
    },
  })
}
