import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../live/lazy-page.ts'
import { projectRoute } from '../../frame/routes.ts'
import { oneOf } from '../../frame/search.ts'

export const triggersRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'triggers',
  component: lazyPage(() => import('./triggers-page.tsx'), 'TriggersPage'),
})

export const newTriggerRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'triggers/new',
  component: lazyPage(() => import('./new-trigger-page.tsx'), 'NewTriggerPage'),
})

export const triggerTabs = ['fires', 'deliveries'] as const
type TriggerTab = (typeof triggerTabs)[number]

export const triggerRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'triggers/$slug',
  validateSearch: (search: Record<string, unknown>): { tab?: TriggerTab | undefined } => ({
    tab: oneOf(triggerTabs, search['tab']),
  }),
  component: lazyPage(() => import('./trigger-page.tsx'), 'TriggerPage'),
})

export const projectRoutes = [triggersRoute, newTriggerRoute, triggerRoute] as const
