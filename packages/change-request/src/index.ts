export { mergeMessage, type MergeMessageInput } from './message.ts'
export { branchName, isBranchName } from './refs.ts'
export {
  type ChangeRequestEvent,
  changeRequestEvents,
  type ChangeRequestStatus,
  changeRequestStatuses,
  statusAfter,
  statusesAccepting,
} from './transitions.ts'
