import { Link, useNavigate } from '@tanstack/react-router'
import { countedGroups, isOf } from '../../inbox/groups.ts'
import { InboxRow } from '../../inbox/inbox-row.tsx'
import { useInbox } from '../../inbox/use-inbox.ts'
import { Empty } from '../../parts/empty.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { Segments } from '../../parts/segments.tsx'
import { homeRoute } from './route.tsx'
import { TeamWork } from './team-work.tsx'

/** The inbox of the person, over all their projects. */
export function HomePage() {
  const { show = 'all' } = homeRoute.useSearch()
  const navigate = useNavigate({ from: homeRoute.fullPath })
  return (
    <Page title="Needs you" narrow>
      <Loaded query={useInbox()}>
        {({ items, counts }) =>
          items.length === 0 ? (
            <Empty title="Nothing waits for you">
              <Link to="/projects">Projects</Link>
            </Empty>
          ) : (
            <>
              <div className="flex">
                <Segments
                  label="Show"
                  options={countedGroups(counts)}
                  value={show}
                  onChange={(next) =>
                    void navigate({ search: { show: next === 'all' ? undefined : next }, replace: true })
                  }
                />
              </div>
              <ul aria-label="Needs you" className="rows">
                {items
                  .filter(({ kind }) => isOf(show, kind))
                  .map((item) => (
                    <InboxRow key={`${item.item_id} ${item.version}`} item={item} />
                  ))}
              </ul>
              {counts.total > items.length && (
                <p className="hint">{counts.total - items.length} more come when these are done.</p>
              )}
            </>
          )
        }
      </Loaded>
      <TeamWork />
    </Page>
  )
}
