import { useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { GuardedButton } from '../../parts/guarded-button.tsx'
import { Page } from '../../parts/page.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { AddSecret } from './add-secret.tsx'
import { PersonalSecrets } from './personal-secrets.tsx'
import { ProjectSecrets } from './project-secrets.tsx'
import { SecretReads } from './secret-reads.tsx'
import { secretsRoute } from './route.tsx'

const tabs = [
  { key: 'project', label: 'Of the project' },
  { key: 'personal', label: 'Yours' },
  { key: 'reads', label: 'Reads' },
] as const

/** The names of a project's secrets and of the reader's own, and which session was given which. No value is ever read. */
export function SecretsPage() {
  const { project_id } = secretsRoute.useParams()
  const { tab = 'project' } = secretsRoute.useSearch()
  const navigate = useNavigate({ from: secretsRoute.fullPath })
  const [adding, setAdding] = useState<string | null>(null)
  const personal = tab === 'personal'
  return (
    <Page
      title="Secrets"
      narrow
      actions={
        tab !== 'reads' && (
          <GuardedButton
            needs={personal ? 'project.session.start' : 'project.secret.write'}
            className="button primary"
            onClick={() => setAdding('')}
          >
            <Plus aria-hidden />
            Add secret
          </GuardedButton>
        )
      }
    >
      <Tabs
        label="Secrets"
        tabs={tabs}
        value={tab}
        onChange={(next) => void navigate({ search: { tab: next === 'project' ? undefined : next } })}
      >
        {tab === 'project' ? (
          <ProjectSecrets project_id={project_id} onSet={setAdding} />
        ) : personal ? (
          <PersonalSecrets project_id={project_id} onSet={setAdding} />
        ) : (
          <SecretReads project_id={project_id} />
        )}
      </Tabs>
      {adding !== null && (
        <AddSecret
          project_id={project_id}
          first={adding}
          personal={personal}
          onClose={() => setAdding(null)}
        />
      )}
    </Page>
  )
}
