export { chooseHarness, type HarnessChoice, harnessNames, type HarnessWishes } from './choose.ts'
export { FrozenHarness, type HarnessEntry, HarnessSettings } from './frozen.ts'
export type { GatewayWay, HarnessProgram, KnownHarness } from './known/known-harness.ts'
export { knownHarness, knownHarnesses, pinnedVersion, pinnedVersions } from './known/known.ts'
export { HarnessLaunch, harnessLaunch, harnessesPlace, harnessVariable, placedIn } from './launch.ts'
export { type HarnessPlace, type HarnessPolicy, openPolicy, type Unavailable, unavailable } from './policy.ts'
export { sessionMeta } from './session-meta.ts'
export type { LicenceText } from './licences.ts'
export { type AskedCall, type OfferedAnswer, offeredFor, permissionOf } from './permission.ts'
export {
  type InstallEvent,
  installMachine,
  type InstallState,
  runtimeMachine,
  type RuntimeState,
} from './states.ts'
export {
  type AskingHabit,
  askingHabits,
  type HarnessAuth,
  harnessAuths,
  type HarnessDialect,
  harnessDialects,
  harnessLimits,
  harnessNameLength,
  type UnavailableReason,
  unavailableReasons,
} from './words.ts'
export { licencesOf } from './licence-texts.ts'
