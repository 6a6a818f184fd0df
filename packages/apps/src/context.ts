import type { AppProvider } from '@svc/app'
import type { Context, JobContext } from '@svc/context'

/** Asks for a verb that only reads rows. */
export type Looking = Pick<Context, 'db' | 'principal' | 'trail' | 'settings'>

/** Asks for a verb that changes rows. */
export type Changing = Looking & Pick<Context, 'now' | 'newId'>

/** Asks for a verb that also reads the repository. */
export type Reading = Changing &
  Pick<Context, 'repositories' | 'vault' | 'signal' | 'enqueue' | 'maintenance'>

/** Works on what rows say is owed. */
export type Working = JobContext

/** The makings of apps that this platform has: files are served, and nothing runs. */
export const appProvider: AppProvider = { name: 'files', processes: false, images: false }

export const appLimits = {
  apps: 20,
  openPreviews: 10,
  openReleases: 50,
  files: 20_000,
  bytes: 512 * 1024 * 1024,
  attempts: 3,
  /** Releases of an address that were ready, and days for which any release is kept. */
  keptReady: 20,
  keptDays: 7,
  /** Days after which an app whose entry is gone is forgotten. */
  undeclaredDays: 30,
} as const
