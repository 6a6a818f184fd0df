import { useNavigate } from '@tanstack/react-router'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { MoreButton, pageOf, usePages } from '../../parts/pages.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { RefChoice } from '../files/ref-choice.tsx'
import { CommitRows } from './commit-rows.tsx'
import { commitsRoute } from './route.tsx'

/** The history of a branch, the newest first. */
export function CommitsPage() {
  const { project_id } = commitsRoute.useParams()
  const { ref } = commitsRoute.useSearch()
  const navigate = useNavigate({ from: commitsRoute.fullPath })
  const client = useClient()
  const pages = usePages({
    key: ['commits', project_id, ref],
    read: (cursor) =>
      client.projects.commits.list(project_id, { ...(ref === undefined ? {} : { ref }), ...pageOf(cursor) }),
  })
  return (
    <Page title="Commits" narrow>
      <RefChoice
        project_id={project_id}
        value={ref}
        onChange={(next) => void navigate({ search: { ref: next } })}
      />
      <Loaded query={pages}>
        {({ pages: read }) => <CommitRows commits={read.flatMap(({ items }) => items)} />}
      </Loaded>
      <MoreButton pages={pages} />
    </Page>
  )
}
