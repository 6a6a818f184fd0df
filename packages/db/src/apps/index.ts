export * as appReleases from './releases.ts'
export * as appRollouts from './rollouts.ts'
export * as apps from './apps.ts'
export * as appBuilds from './app-builds.ts'
export * as appObjects from './app-objects.ts'
export * as pastReleases from './past-releases.ts'
export * as appVisits from './visits.ts'
export * as appInstances from './instances.ts'
export * as appLines from './app-lines.ts'
export * as appBilling from './billing.ts'
export * as appMonths from './app-months.ts'
export * as appMinutes from './app-minutes.ts'
export * as appPlatform from './app-platform.ts'
export * as owedApps from './owed-apps.ts'
export type { AppPlace } from './visits.ts'
export type {
  AppArtifact,
  AppChannelRow,
  AppEventRow,
  AppFront,
  AppInstanceRow,
  AppLogLineRow,
  AppMinuteRow,
  AppReleaseFileRow,
  AppReleaseRow,
  AppRolloutRow,
  AppRow,
} from './apps.table.ts'
