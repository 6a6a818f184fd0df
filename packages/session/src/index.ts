export { lifecycle } from './lifecycle.ts'
export { isModelAvailable, type ResolvedModel, resolveModel } from './model.ts'
export {
  type PromptEvent,
  promptEvents,
  promptStateAfter,
  promptStateOf,
  promptStatesAccepting,
} from './prompt-transitions.ts'
export {
  failureCategories,
  type FailureCategory,
  type PromptSource,
  promptSources,
  type PromptState,
  promptStates,
  type SessionFailure,
  type SessionOrigin,
  sessionOrigins,
  type StopReason,
  stopReasons,
} from './records.ts'
export {
  type SandboxEvent,
  sandboxEvents,
  type SandboxRecordStatus,
  sandboxStatusAfter,
  sandboxStatuses,
  sandboxStatusesAccepting,
} from './sandbox-transitions.ts'
export {
  type SessionEvent,
  sessionEvents,
  type SessionStatus,
  sessionStatusAfter,
  sessionStatuses,
  sessionStatusesAccepting,
} from './transitions.ts'
