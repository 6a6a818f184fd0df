export { chooseProvider, type ProviderChoice } from './choose-provider.ts'
export { connectDaemon, type DaemonConnection, type DaemonPlace } from './connect-daemon.ts'
export { type ProviderOrder, providerOrder } from './provider-order.ts'
export type { ChosenProvider, ProviderModule, ProviderParts } from './providers/provider-module.ts'
export {
  namesElsewhere,
  type ProviderName,
  providerNames,
  type ProviderSettings,
  providerSettings,
} from './providers/registry.ts'
export {
  createMemoryProvider,
  type MemoryOperation,
  type MemoryProvider,
  type MemoryProviderOptions,
  type MemorySandbox,
} from './providers/memory/memory-provider.ts'
export { defaultLimits, limitSettings } from './shared/default-limits.ts'
export { createDockerProvider } from './providers/docker/create-docker-provider.ts'
export type { DockerProviderOptions } from './providers/docker/options.ts'
export { createProcessProvider } from './providers/process/create-process-provider.ts'
export { sharedNetwork, sharesLoopback } from './providers/process/describe-host.ts'
export type { ProcessProviderOptions } from './providers/process/host.ts'
export type { ProviderLog } from './shared/provider-log.ts'
export { egressModes } from './network/egress.ts'
export { hopByHop } from './network/hop-by-hop.ts'
export type { ToolProgram, ToolSources } from './shared/tools/tools.ts'
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
} from './provider.ts'
export { owns } from './provider.ts'
export { SandboxError, type SandboxErrorKind } from './sandbox-error.ts'
export { closedFolder } from './providers/process/user-ids.ts'
export { InstallError, type InstallErrorKind } from './harness/install-error.ts'
export { installHarness, type InstallOptions } from './harness/install-harness.ts'
export { licenceTextOf, type LicenceTextOptions } from './harness/licences/licence-text-of.ts'
export type { LicenceText } from './harness/licences/licence-text.ts'
export { licencesOf, type PackageLicence, proprietaryIn } from './harness/licences/licences-of.ts'
export {
  detachInstalled,
  findInstalled,
  type FoundInstall,
  listInstalled,
  verifyInstalled,
} from './harness/store/installed.ts'
export { harnessStore, type HarnessVersion } from './harness/store/places.ts'
export { sweepScratch } from './harness/store/scratch.ts'
export type { Installed } from './harness/store/settle.ts'
export { harnessTarget } from './harness/target.ts'
export { exportInstalled } from './harness/transfer/export-installed.ts'
export { type Imported, importInstalled, type ImportOptions } from './harness/transfer/import-installed.ts'
