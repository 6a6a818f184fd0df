import type { ServiceError } from '@svc/errors'
import type { Repository } from '@svc/git'

/** A move of a base branch that is written down and whose end is not. */
export interface PlannedMove {
  /** The attempt that planned it. */
  readonly attempt_id: string
  readonly branch: string
  /** The tip that the plan found; null where that is the parent of the planned commit. */
  readonly from_sha: string | null
  readonly to_sha: string
}

/** An attempt whose turn has come: the steps that decide its move and write its rows. */
export interface BaseMove<Plan extends PlannedMove> {
  readonly attempt_id: string
  /** The plan that stands in the way of another one: of this attempt, or of an earlier one for the same. */
  findPlanned(): Promise<Plan | null>
  /** Decides what to do and writes it down; null when there is nothing to move, and the attempt was ended. */
  plan(repository: Repository): Promise<Plan | null>
  /** Writes to all rows together that the branch has moved. */
  finish(plan: Plan): Promise<void>
  /** Drops a plan: the branch has not moved as planned, and never will. */
  abandon(plan: Plan): Promise<void>
  refuse(refusal: ServiceError): Promise<void>
  /** The refusal of a move whose base did not stand still. */
  keptMoving(): ServiceError
}
