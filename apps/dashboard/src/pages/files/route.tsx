import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../live/lazy-page.ts'
import { projectRoute } from '../../frame/routes.ts'
import { textsOf } from '../../frame/search.ts'

/** The path of a file or folder stands behind `files/`. */
export const filesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'files/$',
  validateSearch: (search: Record<string, unknown>) => textsOf(search, 'ref'),
  component: lazyPage(() => import('./files-page.tsx'), 'FilesPage'),
})

export const projectRoutes = [filesRoute] as const
