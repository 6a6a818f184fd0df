export { harnessesOf, type HeldHarnesses, heldHarnesses } from './fail-over/harnesses-of.ts'
export { connectDaemon, type DaemonConnection, type DaemonPlace } from './connect-daemon.ts'
export { hopByHop } from './network/hop-by-hop.ts'
export { type ProviderName, providerNames } from './provider-names.ts'
export type {
  BuildFile,
  CreatedSandbox,
  ExitReport,
  PoolScope,
  ProviderDescription,
  ProviderEdge,
  ProviderRuns,
  SandboxEndpoint,
  SandboxLimits,
  SandboxProvider,
  SandboxSpec,
  SandboxStatus,
  SandboxTemplate,
  TemplateBuild,
  TemplateWish,
  StartedSandbox,
  Workload,
} from './provider.ts'
export { owns } from './provider.ts'
export { SandboxError, type SandboxErrorKind } from './sandbox-error.ts'
export type {
  Program,
  ProgramControl,
  ProgramExit,
  ProgramImage,
  ProgramImages,
  ProgramLine,
  ProgramPhase,
  Programs,
  ProgramSandbox,
  ProgramState,
} from './program.ts'
