import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { Page } from '../../parts/page.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { Budgets } from '../../money/budgets/budgets.tsx'
import { groupChoices } from '../../money/spend/groups.ts'
import { Spend } from '../../money/spend/spend.tsx'
import { Calls } from './calls.tsx'
import { ModelList } from './model-list.tsx'
import { Providers } from './providers/providers.tsx'
import { modelsRoute, spendGroups } from './route.tsx'

const tabs = [
  { key: 'spend', label: 'Spend' },
  { key: 'budgets', label: 'Budgets' },
  { key: 'calls', label: 'Calls' },
  { key: 'models', label: 'Models' },
  { key: 'providers', label: 'Providers' },
] as const

const groups = groupChoices(spendGroups)

/** The use of models by a project: what it costs, what bounds that, each call, and who answers them. */
export function ModelsPage() {
  const { project_id } = modelsRoute.useParams()
  const { tab = 'spend', by = 'model', days = '31' } = modelsRoute.useSearch()
  const place = useMemo(() => ({ kind: 'project', project_id }) as const, [project_id])
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
          <Spend
            place={place}
            groups={groups}
            by={by}
            days={days}
            onChange={(change) => void navigate({ search: (before) => ({ ...before, ...change }) })}
            without="Sessions call models through the gateway once the project has the feature model_gateway."
          />
        ) : tab === 'budgets' ? (
          <Budgets place={place} />
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
