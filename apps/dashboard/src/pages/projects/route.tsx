import { createRoute, redirect } from '@tanstack/react-router'
import { lazyPage } from '../../live/lazy-page.ts'
import { frameRoute, projectRoute } from '../../frame/routes.ts'

const projectsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: 'projects',
  component: lazyPage(() => import('./projects-page.tsx'), 'ProjectsPage'),
})

const newProjectRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: 'projects/new',
  component: lazyPage(() => import('./new-project-page.tsx'), 'NewProjectPage'),
})

/** A project has no page of its own: its sessions are what it is opened for. */
const projectIndexRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/projects/$project_id/sessions', params, replace: true })
  },
})

export const frameRoutes = [projectsRoute, newProjectRoute] as const
export const projectRoutes = [projectIndexRoute] as const
