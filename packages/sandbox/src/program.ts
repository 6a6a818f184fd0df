import type {
  ExitReport,
  ProviderRuns,
  SandboxEndpoint,
  SandboxLimits,
  SandboxStatus,
  TemplateBuild,
} from './provider.ts'

/** A program that a sandbox runs instead of the session daemon: one step of a build, or an app. `svc-appd` is its parent. */
export interface Program {
  /** Exec form. Null: the image's own entrypoint and command. */
  readonly command: readonly string[] | null
  /** Its own variables. They are sent to a sandbox that runs, so that no provider and no engine keeps them. */
  readonly environment: Readonly<Record<string, string>>
  /** Values that its lines show as `[NAME]`, by name. */
  readonly masked: Readonly<Record<string, string>>
  /** The folder that it starts in, below the files that were put; empty for their root. Null: the image's own. */
  readonly folder: string | null
  /** `once`: it is to end. `serve`: it is to answer at its port, and is started again when it ends. */
  readonly kind: 'once' | 'serve'
  /** The port that it listens on; null for one that is free, which `PORT` then says. Of no meaning for `once`. */
  readonly port: number | null
  /** Asked by GET until it answers 2xx or 3xx; null: the port accepts, and the program lives for a second. */
  readonly readiness_path: string | null
  /** Time to get ready, or to end. */
  readonly timeout_ms: number
}

/** An end of a program: by its exit code, or by a signal. */
export interface ProgramExit {
  readonly code: number | null
  readonly signal: string | null
  readonly at: string
}

/**
 * `empty`: waits for files and a program. `starting`: runs and is not ready. `ready`: answers. `waiting`: ended, and is started
 * again in a moment. `ended`: of kind `once`, or drained. `failed`: was not ready in time, or ended too often.
 */
export type ProgramPhase = 'empty' | 'starting' | 'ready' | 'waiting' | 'ended' | 'failed'

export interface ProgramState {
  readonly phase: ProgramPhase
  /** The port that it was given. */
  readonly port: number | null
  /** Ends so far, of kind `serve` the ones that were not asked for. */
  readonly exits: number
  readonly last_exit: ProgramExit | null
  /** Sentence of what is wrong where it failed. */
  readonly reason: string | null
  /** Connections of visitors that are open, and when the last byte went over one; null before the first. */
  readonly connections: number
  readonly last_byte_at: string | null
  /** The number of the last line. */
  readonly last_line: number
}

export interface ProgramLine {
  readonly number: number
  readonly at: string
  readonly stream: 'stdout' | 'stderr'
  /** At most 8 KiB; the mark of a cut at its end. */
  readonly line: string
}

/** The control of the program in one sandbox. Every call may be repeated. */
export interface ProgramControl {
  /** Unpacks a tar archive, as the program's user; a path that leads out of the files is refused. Only while it is `empty`. */
  put(archive: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void>
  /** Starts it. Of a program that was started already nothing happens. */
  start(program: Program, signal: AbortSignal): Promise<ProgramState>
  state(signal: AbortSignal): Promise<ProgramState>
  /** Lines after a number, at most `limit`; waits up to `wait_ms` for the first. A gap in their numbers was dropped. */
  lines(
    asked: { readonly after: number; readonly limit: number; readonly wait_ms: number },
    signal: AbortSignal,
  ): Promise<readonly ProgramLine[]>
  /** A folder of the files as a tar archive, without links that lead out of it. */
  take(folder: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>
  /** Asks the program to end and does not start it again; resolves once it ended, by force after `grace_ms`. */
  drain(grace_ms: number, signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

export interface ProgramSandbox {
  /** The release or instance that it is for, and the idempotency key of create. */
  readonly sandbox_id: string
  /** The image that it is made of, by digest or as one that was built here; null for the platform's own. */
  readonly image: string | null
  readonly limits: SandboxLimits
  /** The secret with which its control is opened. */
  readonly token: string
}

/** An image that programs can be made of. */
export interface ProgramImage {
  /** The name to make sandboxes of; it never means another image. */
  readonly name: string
  readonly digest: string
  readonly bytes: number
}

/** The images of one provider. */
export interface ProgramImages {
  /** Fetches an image and pins it to what its name means now. Refuses where no images are run. */
  pin(reference: string, signal: AbortSignal): Promise<ProgramImage>
  /** Builds a Dockerfile, without a cache of another project; `say` is given its log as it comes. */
  build(
    build: TemplateBuild & {
      readonly limits: SandboxLimits
      readonly arguments: Readonly<Record<string, string>>
    },
    say: (line: string) => void,
    signal: AbortSignal,
  ): Promise<ProgramImage>
  /** Says that these images, by name, are needed: of those that no call names for a long time, room is made. */
  keep(names: readonly string[]): Promise<void>
}

/** Sandboxes of programs, of one provider. Every operation may be repeated, and refuses with a SandboxError. */
export interface Programs extends ProgramImages {
  readonly name: string
  readonly runs: ProviderRuns
  identify(sandbox_id: string): string | null
  create(sandbox: ProgramSandbox, signal: AbortSignal): Promise<{ readonly external_id: string }>
  /** Null unless it runs. */
  control(external_id: string, token: string): Promise<ProgramControl | null>
  /** The address at which visitors reach a program of kind `serve`, for `connectFront`; null unless it runs. */
  front(external_id: string): Promise<SandboxEndpoint | null>
  status(external_id: string): Promise<SandboxStatus>
  exitReport(external_id: string): Promise<ExitReport>
  /** Ends every process and removes everything. */
  destroy(external_id: string): Promise<void>
  list(): Promise<readonly string[]>
  close(): Promise<void>
}
