import type { JobContext, SealedPlace } from '@svc/context'
import type { CheckName, Finding } from '@svc/facts'
import type { SandboxContext } from '@svc/services'

/** The parts that a check needs; those of the sandbox-worker only where one asks for them. */
export interface CheckContext extends JobContext {
  /** Columns that hold data keys. */
  readonly places: readonly SealedPlace[]
  readonly provider?: SandboxContext['provider']
  /** Name of the host of that provider. */
  readonly machine?: string | undefined
}

/** The part that is looked at: one project, or everything. */
export interface CheckScope {
  readonly project_id: string | null
}

/** A difference, and the way to put it right where there is a safe one. */
export interface Found extends Pick<Finding, 'severity' | 'project_id' | 'subject' | 'message'> {
  /** False where it turned out that nothing could be done after all. */
  readonly repair?: (() => Promise<boolean>) | undefined
}

export interface Check {
  readonly name: CheckName
  /** The worker that has what it takes, by its queue. */
  readonly worker: 'merge' | 'session'
  /** One of the platform as a whole is left out where a single project is looked at. */
  readonly of: 'project' | 'platform'
  run(ctx: CheckContext, scope: CheckScope): Promise<readonly Found[]>
}

/** Work that is owed for as long, and that no worker is at, is stuck. */
export const stuckMs = 600_000

export const ago = ({ now }: Pick<CheckContext, 'now'>, ms: number): Date => new Date(now().getTime() - ms)
