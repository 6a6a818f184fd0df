import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../live/lazy-page.ts'
import { projectRoute } from '../../frame/routes.ts'
import { oneOf, textsOf } from '../../frame/search.ts'
import { type SummaryFilter, summaryStates } from './states.ts'

export const sessionsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'sessions',
  validateSearch: (search: Record<string, unknown>): SummaryFilter => ({
    ...textsOf(search, 'q', 'agent'),
    state: oneOf(summaryStates, search['state']),
    mine: search['mine'] === true ? true : undefined,
  }),
  component: lazyPage(() => import('./sessions-page.tsx'), 'SessionsPage'),
})

export const newSessionRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'sessions/new',
  component: lazyPage(() => import('./new/new-session-page.tsx'), 'NewSessionPage'),
})

export const contextTabs = ['changes', 'files', 'checkpoints', 'preview'] as const
type ContextTab = (typeof contextTabs)[number]

export const sessionRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'sessions/$session_id',
  validateSearch: (search: Record<string, unknown>): { tab?: ContextTab | undefined } => ({
    tab: oneOf(contextTabs, search['tab']),
  }),
  component: lazyPage(() => import('./session-page.tsx'), 'SessionPage'),
})

export const projectRoutes = [sessionsRoute, newSessionRoute, sessionRoute] as const
