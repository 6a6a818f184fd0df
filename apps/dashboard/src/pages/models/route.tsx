import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { projectRoute } from '../../frame/routes.ts'
import { oneOf, textsOf } from '../../frame/search.ts'

export const modelTabs = ['spend', 'budgets', 'calls', 'models', 'providers'] as const
export const spendGroups = ['model', 'agent', 'trigger', 'session', 'key', 'provider'] as const
export const spendDays = ['7', '31', '90'] as const

export const modelsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'models',
  validateSearch: (search: Record<string, unknown>) => ({
    ...textsOf(search, 'q', 'record', 'session_id', 'code'),
    tab: oneOf(modelTabs, search['tab']),
    by: oneOf(spendGroups, search['by']),
    days: oneOf(spendDays, String(search['days'] ?? '')),
  }),
  component: lazyRouteComponent(() => import('./models-page.tsx'), 'ModelsPage'),
})

export const projectRoutes = [modelsRoute] as const
