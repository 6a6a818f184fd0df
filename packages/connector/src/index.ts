export { type ArgumentVerdict, argumentLimits, checkArguments } from './arguments/check-arguments.ts'
export type { ArgumentIssue } from './arguments/issues.ts'
export {
  type ApprovalEvent,
  approvalMachine,
  type ApprovalStatus,
  type CallEvent,
  callMachine,
  type CallStatus,
} from './call-machine.ts'
export { actionDigest, type CatalogueAction, nextCatalogue } from './catalogue.ts'
export type { Clause } from './clauses.ts'
export {
  decide,
  type DecidedAction,
  type DecidingRule,
  type DecisionMade,
  type DecisionStep,
  type DefaultAction,
  isHidden,
  type Policy,
  type Rules,
} from './decide.ts'
export { createDiscover, type Discover, type DiscoverableAction, discoverResults } from './discover.ts'
export { digestOf, type FrozenCall, frozenForm, requestDigest } from './frozen.ts'
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
export { toolNameLength, toolNames } from './tool-names.ts'
export { riskOfAnnotations } from './annotations.ts'
export {
  computerLimits,
  computerProtocol,
  type ComputerResult,
  type ComputerTool,
  frameFromComputer,
  type FrameFromComputer,
  frameToComputer,
  type FrameToComputer,
  keptResult,
} from './computer-frames.ts'
