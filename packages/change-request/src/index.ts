export {
  type ChangeRequestEvent,
  changeRequestMachine,
  type ChangeRequestStatus,
  statusAfter,
} from './change-request-machine.ts'
export {
  mergeAttemptMachine,
  type MergeAttemptStatus,
  type MergeIntentEvent,
  mergeIntentMachine,
  type MergeIntentState,
} from './merge-machines.ts'
export { mergeMessage, type MergeMessageInput } from './message.ts'
export { branchName, isBranchName } from './refs.ts'
