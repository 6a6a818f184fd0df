import { useQuery } from '@tanstack/react-query'
import { Loaded } from '../../parts/loaded.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { CommitRows } from '../commits/commit-rows.tsx'
import type { Shown } from './use-change-request.ts'

const max = 200

/** The commits that it brings, the newest first. */
export function Commits({ shown: { cr, diff, preview } }: { readonly shown: Shown }) {
  const { commits } = useClient().projects
  const limit = Math.min(max, Math.max(1, preview?.ahead ?? max))
  const found = useQuery({
    queryKey: ['commits-of', cr.project_id, cr.cr_id, diff.head_sha],
    queryFn: async () => (await commits.list(cr.project_id, { ref: cr.head_ref, limit })).items,
  })
  return (
    <Loaded query={found}>
      {(items) => {
        const own = items.slice(0, items.findIndex(({ sha }) => sha === diff.merge_base) >>> 0)
        return <CommitRows commits={own} />
      }}
    </Loaded>
  )
}
