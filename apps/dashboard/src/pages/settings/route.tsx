import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../live/lazy-page.ts'
import { projectRoute } from '../../frame/routes.ts'

export const settingsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'settings',
  component: lazyPage(() => import('./settings-page.tsx'), 'SettingsPage'),
})

export const projectRoutes = [settingsRoute] as const
