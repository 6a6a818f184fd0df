import type { GitEnvironment } from '../runner/environment.ts'

/** The rules of one push. No push may delete or rewrite the default branch, whatever stands here. */
export interface PushRules {
  readonly default_branch: string
  /** May the default branch be pushed to, forward only? */
  readonly default_allowed: boolean
  /** The one branch a session's token writes; null for any branch. */
  readonly only_branch: string | null
  /** Branches of sessions that the caller may not write, of those that the push names. */
  readonly foreign_branches?: readonly string[]
  readonly delete_allowed: boolean
  readonly read_only: boolean
  /** The session whose sandbox pushes its checkpoints, and nothing else. */
  readonly checkpoints_of?: string
}

/** The rules as the update hook reads them. */
export function pushEnvironment(rules: PushRules): GitEnvironment {
  const flag = (value: boolean) => (value ? '1' : '0')
  return {
    SVC_PUSH_DEFAULT_BRANCH: rules.default_branch,
    SVC_PUSH_DEFAULT_ALLOWED: flag(rules.default_allowed),
    SVC_PUSH_ONLY_BRANCH: rules.only_branch ?? '',
    SVC_PUSH_FOREIGN_BRANCHES: rules.foreign_branches?.join(' ') ?? '',
    SVC_PUSH_DELETE_ALLOWED: flag(rules.delete_allowed),
    SVC_PUSH_READ_ONLY: flag(rules.read_only),
    SVC_PUSH_CHECKPOINTS_OF: rules.checkpoints_of ?? '',
  }
}
