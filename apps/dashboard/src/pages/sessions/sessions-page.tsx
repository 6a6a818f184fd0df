import { useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { Empty } from '../../parts/empty.tsx'
import { Select } from '../../parts/field.tsx'
import { GuardedButton } from '../../parts/guarded-button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { MoreButton } from '../../parts/pages.tsx'
import { SearchBox } from '../../parts/search-box.tsx'
import { sessionsRoute } from './route.tsx'
import { SessionRows } from './session-rows.tsx'
import { stateHeadings, summaryStates } from './states.ts'
import { useSummaries } from './use-summaries.ts'

/** The sessions of a project, in groups by what they want. */
export function SessionsPage() {
  const { project_id } = sessionsRoute.useParams()
  const search = sessionsRoute.useSearch()
  const navigate = useNavigate({ from: sessionsRoute.fullPath })
  const pages = useSummaries(project_id, search)
  const filter = (change: Partial<typeof search>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  const filtered = Object.values(search).some((value) => value !== undefined)
  const begin = (
    <GuardedButton
      needs="project.session.start"
      className="button primary"
      onClick={() => void navigate({ to: '/projects/$project_id/sessions/new', params: { project_id } })}
    >
      <Plus aria-hidden />
      New session
    </GuardedButton>
  )
  return (
    <Page title="Sessions" actions={begin}>
      <div className="flex flex-wrap gap-2">
        <SearchBox
          label="Search sessions"
          value={search.q ?? ''}
          onChange={(q) => filter({ q: q === '' ? undefined : q })}
        />
        <Select
          inline
          label="State"
          value={search.state ?? ''}
          onChange={(state) => filter({ state: summaryStates.find((one) => one === state) })}
          options={[
            ['', 'Any state'],
            ...summaryStates.map((state) => [state, stateHeadings[state]] as const),
          ]}
        />
        <label className="check">
          <input
            type="checkbox"
            checked={search.mine === true}
            onChange={({ target }) => filter({ mine: target.checked ? true : undefined })}
          />
          Mine
        </label>
      </div>
      <Loaded query={pages}>
        {({ pages: read }) => {
          const sessions = read.flatMap(({ items }) => items)
          if (sessions.length > 0) return <SessionRows project_id={project_id} sessions={sessions} />
          return filtered ? (
            <Empty title="No session is like that">
              <button
                type="button"
                className="button"
                onClick={() => filter({ q: undefined, state: undefined, agent: undefined, mine: undefined })}
              >
                Show all
              </button>
            </Empty>
          ) : (
            <Empty title="No session yet">
              <p className="hint">
                A session is an agent at work on a branch of its own. Tell one what to do.
              </p>
            </Empty>
          )
        }}
      </Loaded>
      <MoreButton pages={pages} />
    </Page>
  )
}
