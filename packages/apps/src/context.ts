import type { AppPlatform } from '@svc/app'
import type { Context, JobContext } from '@svc/context'
import { appPlatform, type Db } from '@svc/db'
import type { Programs } from '@svc/sandbox'

/** Asks for a verb that only reads rows. */
export type Looking = Pick<Context, 'db' | 'principal' | 'trail' | 'settings'>

/** Asks for a verb that changes rows. */
export type Changing = Looking & Pick<Context, 'now' | 'newId'>

/** Asks for a verb that also reads the repository. */
export type Reading = Changing &
  Pick<Context, 'repositories' | 'vault' | 'signal' | 'enqueue' | 'maintenance'>

/** Works on what rows say is owed. */
export type Working = JobContext & {
  /** Absent where nothing runs: files alone are released. */
  readonly runtime?: AppRuntime | undefined
}

/** The makings of apps that run. */
export interface AppRuntime {
  readonly programs: Programs
  /** Time that an app has to answer after its start. */
  readonly start_ms: number
  /** Room for one more build of this worker: call it when it is over; null while there is none. */
  readonly takeBuild: () => (() => void) | null
  /** Tests end a run at a step; nothing else looks at it. */
  readonly onStep?: ((step: string) => Promise<void>) | undefined
}

/** Works with sandboxes of programs. */
export type Running = Working & { readonly runtime: AppRuntime }

export function isRunning(ctx: Working): ctx is Running {
  return ctx.runtime !== undefined
}

/** Rules of a platform before an app-worker ever ran: files are served, and nothing runs. */
const filesAlone: AppPlatform = {
  provider: { name: 'files', processes: false, images: false },
  max: { cpu: null, memory_gb: null, disk_gb: null },
  budget_micros: null,
  prices: { cpu_hour_micros: 0, gb_hour_micros: 0 },
}

/** The platform's rules for apps. */
export async function platformRules(db: Db): Promise<AppPlatform> {
  return (await appPlatform.find(db)) ?? filesAlone
}

/** Writes down the rules of this process, for those that judge manifests. */
export async function publishRules(ctx: Pick<Working, 'db' | 'now'>, rules: AppPlatform): Promise<void> {
  await appPlatform.publish(ctx.db, rules, ctx.now())
}

const MiB = 1024 * 1024

export const appLimits = {
  apps: 20,
  openPreviews: 10,
  openReleases: 50,
  files: 20_000,
  bytes: 512 * MiB,
  archiveBytes: 1024 * MiB,
  buildMs: 15 * 60_000,
  /** Builds of an account at a time. */
  builds: 2,
  attempts: 3,
  /** Releases of an address that were ready, and days for which any release is kept. */
  keptReady: 20,
  keptDays: 7,
  /** Days after which an app whose entry is gone is forgotten. */
  undeclaredDays: 30,
  /** Time that open requests have to end when an instance goes. */
  drainMs: 30_000,
  /** The log of what runs: days, and lines of an app. */
  lineDays: 7,
  lines: 200_000,
  minuteDays: 14,
} as const
