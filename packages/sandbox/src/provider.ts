import type { ProgramImages } from './program.ts'

/** A sandbox's status, as its provider tells it. `stopped` keeps its files, `removed` has none, `unknown`: ask again. */
export type SandboxStatus = 'running' | 'stopped' | 'removed' | 'unknown'

export interface SandboxLimits {
  /** Cores, fractions allowed. */
  readonly cpu?: number
  readonly memory_mb?: number
  readonly disk_mb?: number
  readonly pids?: number
}

/** A template's demands on a provider. */
export interface TemplateWish {
  readonly slug: string
  readonly image?: string
  readonly dockerfile?: string
  /** A command that runs beside the daemon from each start on. */
  readonly entrypoint?: string
}

/** The project's template for this sandbox. */
export interface SandboxTemplate extends TemplateWish {
  /** The context that `dockerfile` is built from; needed where there is one. */
  readonly build?: TemplateBuild
}

export interface TemplateBuild {
  /** Changes with everything that the build reads: the same key is the same image. */
  readonly key: string
  /** The Dockerfile's path in the context. */
  readonly dockerfile: string
  /** The context, read when it is needed and as fast as it is sent: it may be larger than memory. */
  files(): AsyncIterable<BuildFile>
}

export interface BuildFile {
  readonly path: string
  readonly executable: boolean
  readonly content: Uint8Array
}

export interface SandboxSpec {
  /** The session's id, and the idempotency key of create. */
  readonly sandbox_id: string
  readonly environment: Readonly<Record<string, string>>
  readonly limits?: SandboxLimits
  readonly template?: SandboxTemplate | null
  readonly labels?: Readonly<Record<string, string>>
  /** The name of the one to make it, where several stand behind one provider. */
  readonly provider?: string
  /** `session` where it is absent. A `program` has no session daemon: `svc-appd` answers at its endpoint. */
  readonly workload?: Workload
}

/** The kinds of work that sandboxes are made for. */
export type Workload = 'session' | 'program'

/** The address at which the daemon (port 8000) answers. The platform keeps all but the address sealed. */
export interface SandboxEndpoint {
  /** `unix:///path`, `http://address:port` or `https://host`. */
  readonly url: string
  /** Headers that every request on the way needs, such as a provider's token; none that the daemon reads itself. */
  readonly headers?: Readonly<Record<string, string>>
  /** The authority of its certificate, as PEM, where that is the provider's own. */
  readonly ca?: string
}

export interface CreatedSandbox {
  readonly external_id: string
  readonly endpoint: SandboxEndpoint
  /** The name of the provider that made it, where several stand behind one. */
  readonly provider?: string
}

/** The request that a sandbox sends so that its provider knows it to be in use. */
export interface ProviderEdge {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

export interface StartedSandbox {
  readonly endpoint: SandboxEndpoint
}

/** The provider's isolation and the lack of it, in sentences for the person who runs the platform. */
export interface ProviderDescription {
  readonly name: string
  readonly isolated: readonly string[]
  readonly not_isolated: readonly string[]
}

export interface ExitReport {
  /** "exited with code 1", "killed by SIGKILL"; null while it runs and after a stop that was asked for. */
  readonly exit: string | null
  /** The last 8 KiB of what it printed. */
  readonly output: string
}

/** The makings of programs that a provider runs, as `workload: program`; nothing decides by its name. */
export interface ProviderRuns {
  /** Programs that come as files: a folder that was built, and a command. */
  readonly processes: boolean
  /** Images, of registries. */
  readonly images: boolean
  /** Dockerfiles, which it builds images from. */
  readonly dockerfiles: boolean
}

/**
 * The place of harnesses in sandboxes, below `SVC_HARNESSES_DIR`: the store of this machine, or the image, which holds
 * these (`name@version`) as `name/version`.
 */
export type HarnessSource = 'store' | readonly string[]

/** The things that a waiting sandbox depends on, where they are not this machine. */
export interface PoolScope {
  /** Its place, for workers of several machines to share; null where that is one machine's folder. */
  readonly place: readonly (string | null)[] | null
  /** Its ingredients beside this machine's own programs; of another make once these change. */
  readonly recipe: readonly string[]
  /** Time that its start may take beyond that of a sandbox on this machine. */
  readonly start_ms: number
}

/** Every operation may be repeated, and refuses with a SandboxError. */
export interface SandboxProvider {
  readonly name: string
  /** The names of the providers behind it, where several stand behind one: it speaks for the sandboxes of each. */
  readonly members?: readonly string[]
  describe(): ProviderDescription
  /** Of several providers behind one: what runs wherever it is made. */
  readonly runs: ProviderRuns
  /** Of several providers behind one: what holds for the one that is asked for, or for all. */
  harnesses(asked?: string): HarnessSource
  /** The external id that create gives this sandbox, whether it is there or not; null where only create knows. */
  identify(sandbox_id: string): string | null
  /** The name of the one behind it that made this sandbox, where several stand behind one. */
  providerOf?(external_id: string): string | null
  /**
   * The reason that no sandbox of this template is made here, with what to do, in a sentence; null where one is. Of
   * several providers behind one, the one that is asked for answers.
   */
  refusal(template: TemplateWish, asked?: string): string | null
  /** Creates and starts. The same sandbox_id answers with the same sandbox, started again if it was stopped. */
  create(spec: SandboxSpec, signal?: AbortSignal): Promise<CreatedSandbox>
  /** Resumes with the files kept. A given environment replaces the old one at this start. */
  start(external_id: string, environment?: Readonly<Record<string, string>>): Promise<StartedSandbox>
  /** Ends every process, also those that left their session, and keeps the files. */
  stop(external_id: string): Promise<void>
  /** Ends every process and removes everything. */
  destroy(external_id: string): Promise<void>
  status(external_id: string): Promise<SandboxStatus>
  /** Null unless it runs. Other ports are reached through the daemon's `/proxy/{port}`. */
  endpoint(external_id: string): Promise<SandboxEndpoint | null>
  /** Tells a provider with an inactivity timer that the sandbox is in use. */
  touch(external_id: string): Promise<void>
  /** The request with which a running sandbox tells such a provider so itself; absent where no timer runs. */
  edge?(external_id: string): Promise<ProviderEdge | null>
  /** The environment of its next start; null when there is no such sandbox. */
  environment(external_id: string): Promise<Readonly<Record<string, string>> | null>
  exitReport(external_id: string): Promise<ExitReport>
  list(): Promise<readonly string[]>
  /**
   * Of these, the ones that run, in one question for all of them; one that is left out is asked of by itself. Absent where
   * sandboxes can only be asked of one by one, or have an inactivity timer and are to be touched.
   */
  running?(external_ids: readonly string[]): Promise<ReadonlySet<string>>
  /**
   * Gives a running sandbox the environment of its next starts, and the reach that goes with it; its daemon is told by
   * the platform. One that does not run is `gone`. Without this, none of its sandboxes wait for a session.
   */
  adopt?(external_id: string, environment: Readonly<Record<string, string>>): Promise<void>
  /** Absent where sandboxes are this machine's, made from its own programs. */
  poolScope?(): PoolScope
  /** Makes a template's image before a sandbox needs it; absent where providers have no images. */
  prepare?(template: SandboxTemplate): Promise<void>
  /** The address at which visitors reach a program, for `connectFront`; absent where that is its endpoint. */
  front?(external_id: string): Promise<SandboxEndpoint | null>
  /** Absent where it runs no images. */
  readonly images?: ProgramImages
  /** Sandboxes outlive the provider object unless they are to be stopped; from `force` on, without a grace. */
  close(options: { readonly stop_sandboxes: boolean; readonly force?: AbortSignal }): Promise<void>
}

/** True when the provider can speak of sandboxes that `made_by` made: it is that provider, or covers it. */
export function owns({ name, members = [] }: SandboxProvider, made_by: string | null): boolean {
  return made_by !== null && (made_by === name || members.includes(made_by))
}
