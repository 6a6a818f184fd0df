import { Link } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useInboxCount } from '../inbox/use-count.ts'
import { useUnreadCount } from '../notifications/use-unread-count.ts'
import { navigation } from '../pages/index.ts'
import { AccountMenu } from './account-menu.tsx'
import { Brand } from './brand.tsx'
import type { NavEntry } from './nav-entry.ts'
import { useMe } from './use-me.ts'
import { useProject, useProjectId } from './use-project.ts'

export interface FrameActions {
  readonly onSearch: () => void
  readonly onShortcuts: () => void
  readonly onSignOut: () => void
}

/** The left column: where to go, and how much waits there. */
export function Navigation(props: FrameActions) {
  return (
    <nav className="nav" aria-label="Main">
      <Brand />
      <button type="button" className="nav-link" onClick={props.onSearch}>
        <Search aria-hidden className="glyph" />
        <span className="words">Search</span>
        <kbd className="key" aria-hidden>
          {/Mac/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'}
        </kbd>
      </button>
      <NavSection section="main" />
      <ProjectSection />
      <div className="mt-auto">
        <AccountMenu {...props} />
      </div>
    </nav>
  )
}

/** The places of the project that the address names. */
export function ProjectSection() {
  const project_id = useProjectId()
  if (project_id === undefined) return null
  return <NamedProjectSection project_id={project_id} />
}

function NamedProjectSection({ project_id }: { readonly project_id: string }) {
  const { data } = useProject(project_id)
  return (
    <>
      <p className="nav-head" dir="auto">
        {data?.name ?? 'Project'}
      </p>
      <NavSection section="project" project_id={project_id} />
    </>
  )
}

interface SectionProps {
  readonly section: NavEntry['section']
  readonly project_id?: string
}

export function NavSection({ section, project_id }: SectionProps) {
  const counts = useInboxCount(project_id)
  const unread = useUnreadCount()
  const { data: me } = useMe()
  const admin = me?.platform_admin === true
  return navigation
    .filter((entry) => entry.section === section && (entry.admin !== true || admin))
    .map(({ label, icon: Icon, to, counts: kinds = [], unread: countsUnread }) => {
      const waiting = kinds.reduce((sum, kind) => sum + (counts?.[kind] ?? 0), 0)
      const count = countsUnread ? unread : waiting
      return (
        <Link
          key={to}
          to={to}
          {...(project_id === undefined ? {} : { params: { project_id } })}
          className="nav-link"
          activeOptions={{ exact: section === 'main', includeSearch: false }}
        >
          <Icon aria-hidden className="glyph" />
          <span className="words">{label}</span>
          {count > 0 && (
            <span className="count" aria-hidden>
              {count}
            </span>
          )}
        </Link>
      )
    })
}
