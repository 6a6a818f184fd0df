import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../live/lazy-page.ts'
import { frameRoute } from '../../frame/routes.ts'
import { oneOf } from '../../frame/search.ts'
import { type Group, groups } from '../../inbox/groups.ts'

export const homeRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/',
  validateSearch: (search: Record<string, unknown>): { show?: Group | undefined } => ({
    show: oneOf(groups, search['show']),
  }),
  component: lazyPage(() => import('./home-page.tsx'), 'HomePage'),
})

export const frameRoutes = [homeRoute] as const
