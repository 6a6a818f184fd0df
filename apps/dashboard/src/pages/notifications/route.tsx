import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../live/lazy-page.ts'
import { frameRoute } from '../../frame/routes.ts'
import { oneOf } from '../../frame/search.ts'

export const shown = ['all', 'unread'] as const

export const notificationsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: 'notifications',
  validateSearch: (search: Record<string, unknown>): { show?: (typeof shown)[number] | undefined } => ({
    show: oneOf(shown, search['show']),
  }),
  component: lazyPage(() => import('./notifications-page.tsx'), 'NotificationsPage'),
})

export const settingsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: 'notifications/settings',
  component: lazyPage(() => import('./settings-page.tsx'), 'NotificationSettingsPage'),
})

export const frameRoutes = [notificationsRoute, settingsRoute] as const
