export {
  type ChangeRequestEvent,
  changeRequestMachine,
  type ChangeRequestStatus,
  statusAfter,
} from './change-request-machine.ts'
export { mergeMessage, type MergeMessageInput } from './message.ts'
export { branchName, isBranchName } from './refs.ts'
