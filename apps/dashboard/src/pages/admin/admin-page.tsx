import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Page } from '../../parts/page.tsx'
import { SearchBox } from '../../parts/search-box.tsx'
import { Checks } from './checks.tsx'
import { Accounts } from './lists/accounts.tsx'
import { Admins } from './lists/admins.tsx'
import { Audit } from './lists/audit.tsx'
import { Failures } from './lists/failures.tsx'
import { Features } from './lists/features.tsx'
import { Harnesses } from './lists/harnesses.tsx'
import { Machines } from './lists/machines.tsx'
import { Processes } from './lists/processes.tsx'
import { Sandboxes } from './lists/sandboxes.tsx'
import { Sessions } from './lists/sessions.tsx'
import { Work } from './lists/work.tsx'
import { Maintenance } from './maintenance.tsx'
import { Overview } from './overview.tsx'
import { adminRoute } from './route.tsx'

interface Part {
  readonly key: string
  readonly label: string
  readonly searched?: true
  readonly show: (search: { readonly q?: string | undefined; readonly run?: string | undefined }) => ReactNode
}

const overview: Part = { key: 'overview', label: 'Overview', show: () => <Overview /> }

const parts: readonly Part[] = [
  overview,
  { key: 'work', label: 'Work', show: () => <Work /> },
  { key: 'failures', label: 'Failures', show: () => <Failures /> },
  { key: 'processes', label: 'Processes', show: () => <Processes /> },
  { key: 'machines', label: 'Machines', show: () => <Machines /> },
  { key: 'sandboxes', label: 'Sandboxes', show: () => <Sandboxes /> },
  { key: 'sessions', label: 'Sessions', searched: true, show: ({ q }) => <Sessions q={q} /> },
  { key: 'accounts', label: 'Accounts', searched: true, show: ({ q }) => <Accounts q={q} /> },
  { key: 'harnesses', label: 'Harnesses', show: () => <Harnesses /> },
  { key: 'features', label: 'Features', show: () => <Features /> },
  { key: 'maintenance', label: 'Maintenance', show: () => <Maintenance /> },
  { key: 'checks', label: 'Checks', show: ({ run }) => <Checks run={run} /> },
  { key: 'admins', label: 'Admins', show: () => <Admins /> },
  { key: 'audit', label: 'Audit', show: () => <Audit /> },
]

/** The pages of those who run the platform: what runs, never what is in it. */
export function AdminPage() {
  const { part = overview.key } = adminRoute.useParams()
  const search = adminRoute.useSearch()
  const navigate = useNavigate({ from: adminRoute.fullPath })
  const shown = parts.find(({ key }) => key === part) ?? overview
  return (
    <Page title={`Platform: ${shown.label}`}>
      <nav aria-label="Platform" className="tabs">
        {parts.map(({ key, label }) => (
          <Link
            key={key}
            to="/admin/{-$part}"
            params={{ part: key === overview.key ? undefined : key }}
            className="tab"
            activeOptions={{ exact: true, includeSearch: false }}
          >
            {label}
          </Link>
        ))}
      </nav>
      {shown.searched === true && (
        <div className="flex">
          <SearchBox
            label={`Search ${shown.label.toLowerCase()}`}
            value={search.q ?? ''}
            onChange={(q) => void navigate({ search: { q: q === '' ? undefined : q }, replace: true })}
          />
        </div>
      )}
      <div key={shown.key} className="grid gap-3">
        {shown.show(search)}
      </div>
    </Page>
  )
}
