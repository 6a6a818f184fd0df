import type { AppType } from './states.ts'

/** An entry of `apps` as the manifest's reader gives it. */
export interface AppEntry {
  readonly name: string
  readonly type: AppType
  readonly path: string | null
  readonly root: string | null
  readonly output_dir: string | null
  readonly install_command: string | null
  readonly build_command: string | null
  readonly spa: boolean
  readonly command: readonly string[] | null
  readonly port: number | null
  readonly dockerfile: string | null
  readonly image: string | null
  readonly readiness_path: string | null
  readonly idle_timeout_seconds: number | null
  readonly monthly_budget_usd: number | null
  readonly resources: Readonly<Record<keyof AppResources, number | null>>
  readonly env: Readonly<Record<string, string>>
  readonly secrets: Readonly<Record<string, string>>
}

export interface AppResources {
  readonly cpu: number
  readonly memory_gb: number
  readonly disk_gb: number
}

/** The makings of apps that this platform has. */
export interface AppProvider {
  readonly name: string
  /** It runs the commands that build an app, and programs. */
  readonly processes: boolean
  readonly images: boolean
}

/** The platform's rules for apps, as the process that makes and runs them writes them down for the others. */
export interface AppPlatform {
  readonly provider: AppProvider
  /** Dockerfiles are built; absent where a process of a release before this one wrote the rules, which built them for all images. */
  readonly dockerfiles?: boolean
  /** The most that an app may ask for; null without a bound of the operator. */
  readonly max: Readonly<Record<keyof AppResources, number | null>>
  /** The cap of a month where an app has none of its own; null for none. */
  readonly budget_micros: number | null
  readonly prices: AppPrices
}

/** Micro-dollars for an hour. */
export interface AppPrices {
  readonly cpu_hour_micros: number
  readonly gb_hour_micros: number
}

export interface ConfigIssue {
  /** As the manifest's issues write it: `apps.site.type`. */
  readonly path: string
  readonly message: string
  readonly severity: 'error' | 'warning'
}

/** Commands whose work is shipped, run in a folder of the commit. */
export interface BuildConfig {
  readonly root: string
  readonly install_command: string | null
  readonly build_command: string | null
}

/** The image that an app is: one to fetch, or the Dockerfile to build. */
export type ImageConfig =
  | { readonly from: 'image'; readonly image: string }
  | { readonly from: 'dockerfile'; readonly dockerfile: string; readonly context: string }

/** A program that answers visitors. */
export interface RunConfig {
  readonly command: readonly string[]
  /** Null for one that is free. */
  readonly port: number | null
  readonly readiness_path: string | null
  readonly idle_timeout_seconds: number
  /** Variables, and the project's secrets that they get. */
  readonly secrets: Readonly<Record<string, string>>
}

/** An entry with everything that it leaves out, frozen with a release. */
export interface AppConfig {
  readonly type: AppType
  /** Folder from the repository's root, without `.` and `/` at its ends; empty for all of it. */
  readonly folder: string
  readonly spa: boolean
  /** Names of the project’s secrets that it gets. */
  readonly secrets: readonly string[]
  /** And those that it would get if it were merged. */
  readonly withheld_secrets: readonly string[]
  /** Absent where files are shipped as the commit has them. */
  readonly build?: BuildConfig
  readonly image?: ImageConfig
  /** Absent where nothing runs. */
  readonly run?: RunConfig
  /** Of the build and of the program; absent where there is neither. */
  readonly env?: Readonly<Record<string, string>>
  readonly resources?: AppResources
}
