import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { projectRoute } from '../../frame/routes.ts'
import { textsOf } from '../../frame/search.ts'

/** The path of a file or folder stands behind `files/`. */
export const filesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'files/$',
  validateSearch: (search: Record<string, unknown>) => textsOf(search, 'ref'),
  component: lazyRouteComponent(() => import('./files-page.tsx'), 'FilesPage'),
})

export const projectRoutes = [filesRoute] as const
