// Generated of the folders beside it; index.test.ts compares, and writes it with SVC_WRITE_PAGES=1.
import type { Command, NavEntry } from '../frame/nav-entry.ts'
import { frameRoute, noSuchRoute, projectRoute, rootRoute } from '../frame/routes.ts'
import * as account from './account/route.tsx'
import * as accounts from './accounts/route.tsx'
import * as admin from './admin/route.tsx'
import * as approvals from './approvals/route.tsx'
import * as apps from './apps/route.tsx'
import * as changeRequests from './change-requests/route.tsx'
import * as channels from './channels/route.tsx'
import * as commits from './commits/route.tsx'
import * as connectors from './connectors/route.tsx'
import * as enterApp from './enter-app/route.tsx'
import * as events from './events/route.tsx'
import * as files from './files/route.tsx'
import * as home from './home/route.tsx'
import * as invitations from './invitations/route.tsx'
import * as link from './link/route.tsx'
import * as manifest from './manifest/route.tsx'
import * as members from './members/route.tsx'
import * as models from './models/route.tsx'
import * as notifications from './notifications/route.tsx'
import * as projects from './projects/route.tsx'
import * as reset from './reset/route.tsx'
import * as reviews from './reviews/route.tsx'
import * as secrets from './secrets/route.tsx'
import * as sessions from './sessions/route.tsx'
import * as settings from './settings/route.tsx'
import * as triggers from './triggers/route.tsx'
import { nav as adminNav } from './admin/nav.ts'
import { nav as appsNav } from './apps/nav.ts'
import { nav as changeRequestsNav } from './change-requests/nav.ts'
import { nav as channelsNav } from './channels/nav.ts'
import { nav as commitsNav } from './commits/nav.ts'
import { nav as connectorsNav } from './connectors/nav.ts'
import { nav as eventsNav } from './events/nav.ts'
import { nav as filesNav } from './files/nav.ts'
import { nav as homeNav } from './home/nav.ts'
import { nav as manifestNav } from './manifest/nav.ts'
import { nav as membersNav } from './members/nav.ts'
import { nav as modelsNav } from './models/nav.ts'
import { nav as notificationsNav } from './notifications/nav.ts'
import { nav as projectsNav } from './projects/nav.ts'
import { nav as secretsNav } from './secrets/nav.ts'
import { nav as sessionsNav } from './sessions/nav.ts'
import { nav as settingsNav } from './settings/nav.ts'
import { nav as triggersNav } from './triggers/nav.ts'
import { commands as accountCommands } from './account/commands.ts'
import { commands as changeRequestsCommands } from './change-requests/commands.ts'
import { commands as channelsCommands } from './channels/commands.ts'
import { commands as commitsCommands } from './commits/commands.ts'
import { commands as filesCommands } from './files/commands.ts'
import { commands as homeCommands } from './home/commands.ts'
import { commands as invitationsCommands } from './invitations/commands.ts'
import { commands as manifestCommands } from './manifest/commands.ts'
import { commands as membersCommands } from './members/commands.ts'
import { commands as modelsCommands } from './models/commands.ts'
import { commands as notificationsCommands } from './notifications/commands.ts'
import { commands as projectsCommands } from './projects/commands.ts'
import { commands as secretsCommands } from './secrets/commands.ts'
import { commands as sessionsCommands } from './sessions/commands.ts'
import { commands as settingsCommands } from './settings/commands.ts'
import { commands as triggersCommands } from './triggers/commands.ts'

export const routeTree = rootRoute.addChildren([
  frameRoute.addChildren([
    noSuchRoute,
    ...account.frameRoutes,
    ...accounts.frameRoutes,
    ...admin.frameRoutes,
    ...enterApp.frameRoutes,
    ...events.frameRoutes,
    ...home.frameRoutes,
    ...invitations.frameRoutes,
    ...link.frameRoutes,
    ...notifications.frameRoutes,
    ...projects.frameRoutes,
    ...reset.frameRoutes,
    projectRoute.addChildren([
      ...approvals.projectRoutes,
      ...apps.projectRoutes,
      ...changeRequests.projectRoutes,
      ...channels.projectRoutes,
      ...commits.projectRoutes,
      ...connectors.projectRoutes,
      ...events.projectRoutes,
      ...files.projectRoutes,
      ...manifest.projectRoutes,
      ...members.projectRoutes,
      ...models.projectRoutes,
      ...projects.projectRoutes,
      ...reviews.projectRoutes,
      ...secrets.projectRoutes,
      ...sessions.projectRoutes,
      ...settings.projectRoutes,
      ...triggers.projectRoutes,
    ]),
  ]),
])

export const navigation: readonly NavEntry[] = [
  ...adminNav,
  ...appsNav,
  ...changeRequestsNav,
  ...channelsNav,
  ...commitsNav,
  ...connectorsNav,
  ...eventsNav,
  ...filesNav,
  ...homeNav,
  ...manifestNav,
  ...membersNav,
  ...modelsNav,
  ...notificationsNav,
  ...projectsNav,
  ...secretsNav,
  ...sessionsNav,
  ...settingsNav,
  ...triggersNav,
].sort((a, b) => a.order - b.order)

export const commands: readonly Command[] = [
  ...accountCommands,
  ...changeRequestsCommands,
  ...channelsCommands,
  ...commitsCommands,
  ...filesCommands,
  ...homeCommands,
  ...invitationsCommands,
  ...manifestCommands,
  ...membersCommands,
  ...modelsCommands,
  ...notificationsCommands,
  ...projectsCommands,
  ...secretsCommands,
  ...sessionsCommands,
  ...settingsCommands,
  ...triggersCommands,
]
