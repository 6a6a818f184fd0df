/** The states and the words of rows and of the wire, without the libraries of what judges and searches. */
export {
  type ApprovalEvent,
  approvalMachine,
  type ApprovalStatus,
  type CallEvent,
  callMachine,
  type CallStatus,
} from './call-machine.ts'
export { type OutcomeKind, outcomes } from './outcomes.ts'
export {
  type ReviewEvent,
  type ReviewKind,
  reviewKinds,
  reviewMachine,
  type ReviewRisk,
  reviewRisks,
  type ReviewStatus,
  type ReviewVerdict,
  reviewVerdicts,
} from './review-machine.ts'
export {
  actionStates,
  type ActionState,
  type ConnectorAction,
  type Decision,
  decisions,
  type JsonObject,
  type Reason,
  reasons,
  type Risk,
  risks,
} from './shapes.ts'
