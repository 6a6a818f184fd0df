export { type AskEvent, askMachine, type AskState } from './ask-machine.ts'
export { branchMachine, type SessionBranchEvent, type SessionBranchState } from './branch-machine.ts'
export {
  type EventPartitionEvent,
  eventPartitionMachine,
  type EventPartitionState,
} from './event-partition-machine.ts'
export { type CheckPartEvent, checkPartMachine, type CheckPartState } from './check-part-machine.ts'
export { sessionLimits } from './session-limits.ts'
export { isModelAvailable, type ResolvedModel, resolveModel } from './model.ts'
export { previewMachine, type PreviewState } from './preview-machine.ts'
export { type PromptEvent, promptMachine, type PromptState } from './prompt-machine.ts'
export {
  firstPromptKey,
  failureCategories,
  type FailureCategory,
  isOwnersOwn,
  type PromptSource,
  promptSources,
  type SessionFailure,
  type SessionOrigin,
  sessionOrigins,
  type StopReason,
  stopReasons,
  type SummaryState,
  summaryStates,
} from './records.ts'
export { type SandboxEvent, sandboxMachine, type SandboxRecordStatus } from './sandbox-machine.ts'
export { type SessionTransition, sessionMachine, type SessionStatus } from './session-machine.ts'
export { isSelfOrDescendant, lineOf, treeOf, type TreeMember } from './tree.ts'
export { type WarmSandboxEvent, warmSandboxMachine, type WarmSandboxState } from './warm-sandbox-machine.ts'
