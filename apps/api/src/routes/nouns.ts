import type { OpenAPIHono } from '@hono/zod-openapi'
import type { AppEnv } from '../parts.ts'
import type { OpenStreams } from '../stream/open-streams.ts'
import { accountRoutes } from './accounts.ts'
import { appRoutes } from './apps/apps.ts'
import { appReleaseRoutes } from './apps/releases.ts'
import { auditRoutes } from './audit.ts'
import { browserSessionRoutes } from './browser-sessions.ts'
import { changeRequestRoutes } from './change-requests.ts'
import { changeRoutes } from './changes.ts'
import { directoryRoutes } from './directory.ts'
import { accountEventRoutes, eventRoutes } from './events.ts'
import { featureRoutes } from './features.ts'
import { fileRoutes } from './files.ts'
import { accountGatewayRoutes, gatewayRoutes } from './gateway.ts'
import { harnessRoutes } from './harnesses.ts'
import { inboxRoutes } from './inbox.ts'
import { keyRoutes } from './keys.ts'
import { memberRoutes } from './members.ts'
import { accountMoneyRoutes } from './money/account.ts'
import { projectMoneyRoutes } from './money/project.ts'
import { notificationRoutes } from './notifications/routes.ts'
import { oauthRoutes } from './oauth.ts'
import { previewTicketRoutes } from './preview-tickets.ts'
import { projectRoutes } from './projects.ts'
import { reviewRoutes } from './reviews.ts'
import { sandboxIdentityRoutes } from './sandbox-identity.ts'
import { secretRoutes } from './secrets.ts'
import { serviceAccountRoutes } from './service-accounts.ts'
import { sessionLogRoutes } from './session-log.ts'
import { sessionPromptRoutes } from './session-prompts.ts'
import { sessionSummaryRoutes } from './session-summaries.ts'
import { sessionRoutes } from './sessions.ts'
import { signInRoutes, twoFactorRoutes } from './sign-in.ts'
import { accountSignInRoutes, ssoRoutes } from './sso.ts'
import { triggerRoutes } from './triggers.ts'
import { viewedFileRoutes } from './viewed-files.ts'
import { webhookRoutes } from './webhooks.ts'

/** The routes of every noun of the contract, in the order in which they are matched. */
export const nounRoutes: readonly ((streams: OpenStreams) => OpenAPIHono<AppEnv>)[] = [
  signInRoutes,
  browserSessionRoutes,
  ssoRoutes,
  twoFactorRoutes,
  accountSignInRoutes,
  accountRoutes,
  memberRoutes,
  oauthRoutes,
  serviceAccountRoutes,
  keyRoutes,
  gatewayRoutes,
  accountGatewayRoutes,
  directoryRoutes,
  auditRoutes,
  accountMoneyRoutes,
  projectMoneyRoutes,
  projectRoutes,
  featureRoutes,
  secretRoutes,
  fileRoutes,
  sessionRoutes,
  sessionSummaryRoutes,
  sessionPromptRoutes,
  sessionLogRoutes,
  harnessRoutes,
  previewTicketRoutes,
  changeRequestRoutes,
  viewedFileRoutes,
  inboxRoutes,
  notificationRoutes,
  reviewRoutes,
  changeRoutes,
  eventRoutes,
  accountEventRoutes,
  appRoutes,
  appReleaseRoutes,
  triggerRoutes,
  webhookRoutes,
  sandboxIdentityRoutes,
]
