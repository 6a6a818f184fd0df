import type { appPreviews, appReleases, apps } from '@svc/contract'
import type { z } from 'zod'
import type { AnswerOf, BodyOf, QueryOf } from './http/route.ts'

/** An entry of `apps` that the default branch declares or declared, with what its address shows. */
export type ProjectApp = z.output<typeof apps.App>
export type ProjectAppList = AnswerOf<typeof apps.listApps>
export type UpdateProjectAppInput = BodyOf<typeof apps.updateApp>
/** A numbered build of one app from one commit; it never changes once it is `ready`. */
export type AppRelease = z.output<typeof appReleases.AppRelease>
export type ListAppReleasesQuery = QueryOf<typeof appReleases.listAppReleases>
export type ReleaseAppInput = BodyOf<typeof appReleases.releaseApp>
/** A move of an app's address to a release. */
export type AppRollout = z.output<typeof appReleases.AppRollout>
export type RollbackAppInput = BodyOf<typeof appReleases.rollbackApp>
export type AppLogLine = z.output<typeof apps.AppLogLine>
export type AppEvent = z.output<typeof apps.AppEvent>
/** The variables of an app by name, never by value. */
export type AppEnvironment = AnswerOf<typeof apps.readAppEnv>
/** An entry as this platform judges it, with the effect of a merge. */
export type JudgedApp = z.output<typeof apps.JudgedApp>
export type CheckedApps = AnswerOf<typeof apps.checkApps>
export type CheckAppsInput = BodyOf<typeof apps.checkApps>
/** The same for a change request, with the preview of each. */
export type ChangeRequestApp = z.output<typeof appPreviews.ChangeRequestApp>
export type ChangeRequestApps = AnswerOf<typeof appPreviews.listChangeRequestApps>
/** A way into an app: a link that opens once, and a token for `X-Svc-App-Token`. */
export type AppEntry = AnswerOf<typeof apps.enterApp>
export type EnterAppInput = BodyOf<typeof apps.enterApp>
/** Figures of an app in a window up to now. */
export type AppMetrics = AnswerOf<typeof apps.readAppMetrics>['metrics']
export type AppRequests = AnswerOf<typeof apps.listAppMetrics>['apps'][number]
export type ReadAppMetricsQuery = QueryOf<typeof apps.readAppMetrics>
/** Costs of an app by month. */
export type AppUsage = AnswerOf<typeof apps.readAppUsage>
