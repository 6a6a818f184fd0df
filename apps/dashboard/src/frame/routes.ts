import { createRootRoute, createRoute, Outlet } from '@tanstack/react-router'
import { NoSuchPage } from './no-such-page.tsx'

/** The routes that every page hangs below: all pages, those within the frame, and those of one project. */
export const rootRoute = createRootRoute({ component: Outlet, notFoundComponent: NoSuchPage })

export const frameRoute = createRoute({ getParentRoute: () => rootRoute, id: 'frame' })

/** Every other address, so that a dead end has the way on around it. */
export const noSuchRoute = createRoute({ getParentRoute: () => frameRoute, path: '$', component: NoSuchPage })

export const projectRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: 'projects/$project_id',
})
