import { useNavigate } from '@tanstack/react-router'
import { Page } from '../../parts/page.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { Budgets } from './budgets/budgets.tsx'
import { Calls } from './calls.tsx'
import { ModelList } from './model-list.tsx'
import { Providers } from './providers/providers.tsx'
import { modelsRoute } from './route.tsx'
import { Spend } from './spend/spend.tsx'

const tabs = [
  { key: 'spend', label: 'Spend' },
  { key: 'budgets', label: 'Budgets' },
  { key: 'calls', label: 'Calls' },
  { key: 'models', label: 'Models' },
  { key: 'providers', label: 'Providers' },
] as const

/** The use of models by a project: what it costs, what bounds that, each call, and who answers them. */
export function ModelsPage() {
  const { project_id } = modelsRoute.useParams()
  const { tab = 'spend' } = modelsRoute.useSearch()
  const navigate = useNavigate({ from: modelsRoute.fullPath })
  return (
    <Page title="Models">
      <Tabs
        label="Models"
        tabs={tabs}
        value={tab}
        onChange={(next) => void navigate({ search: { tab: next === 'spend' ? undefined : next } })}
      >
        {tab === 'spend' ? (
          <Spend project_id={project_id} />
        ) : tab === 'budgets' ? (
          <Budgets project_id={project_id} />
        ) : tab === 'calls' ? (
          <Calls project_id={project_id} />
        ) : tab === 'models' ? (
          <ModelList project_id={project_id} />
        ) : (
          <Providers project_id={project_id} />
        )}
      </Tabs>
    </Page>
  )
}
