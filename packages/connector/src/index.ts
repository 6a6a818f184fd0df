export { type ArgumentVerdict, argumentLimits, checkArguments } from './arguments/check-arguments.ts'
export type { ArgumentIssue } from './arguments/issues.ts'
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
export { toolNameLength, toolNames } from './tool-names.ts'
export { riskOfAnnotations } from './annotations.ts'
export {
  computerEnds,
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
export * from './states.ts'
