import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../live/lazy-page.ts'
import { projectRoute } from '../../frame/routes.ts'
import { oneOf, textsOf } from '../../frame/search.ts'
import { spendDays } from '../../money/spend/groups.ts'

export const modelTabs = ['spend', 'budgets', 'calls', 'models', 'providers'] as const
export const spendGroups = ['model', 'agent', 'trigger', 'session', 'key', 'provider', 'day'] as const

interface ModelsSearch {
  readonly tab?: (typeof modelTabs)[number] | undefined
  readonly by?: (typeof spendGroups)[number] | undefined
  readonly days?: (typeof spendDays)[number] | undefined
  /** Words of a filter, and the record that is open. */
  readonly q?: string | undefined
  readonly record?: string | undefined
  /** Of the list of calls. */
  readonly session_id?: string | undefined
  readonly code?: string | undefined
}

export const modelsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'models',
  validateSearch: (search: Record<string, unknown>): ModelsSearch => ({
    ...textsOf(search, 'q', 'record', 'session_id', 'code'),
    tab: oneOf(modelTabs, search['tab']),
    by: oneOf(spendGroups, search['by']),
    days: oneOf(spendDays, String(search['days'] ?? '')),
  }),
  component: lazyPage(() => import('./models-page.tsx'), 'ModelsPage'),
})

export const projectRoutes = [modelsRoute] as const
