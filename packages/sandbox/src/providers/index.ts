export { chooseProvider, type ProviderChoice } from '../choose-provider.ts'
export { type ProviderOrder, providerOrder } from '../provider-order.ts'
export type { ChosenProvider, ProviderModule, ProviderParts } from './provider-module.ts'
export { namesElsewhere, type ProviderSettings, providerSettings } from './registry.ts'
export {
  createMemoryProvider,
  type MemoryOperation,
  type MemoryProvider,
  type MemoryProviderOptions,
  type MemorySandbox,
} from './memory/memory-provider.ts'
export { limitSettings } from '../shared/default-limits.ts'
export { createDockerProvider } from './docker/create-docker-provider.ts'
export type { DockerProviderOptions } from './docker/options.ts'
export { createProcessProvider } from './process/create-process-provider.ts'
export { sharedNetwork, sharesLoopback } from './process/describe-host.ts'
export type { ProcessProviderOptions } from './process/host.ts'
export type { ProviderLog } from '../shared/provider-log.ts'
export { egressModes } from '../network/egress.ts'
export type { ToolProgram, ToolSources } from '../shared/tools/tools.ts'
export { closedFolder } from './process/user-ids.ts'
export { InstallError, type InstallErrorKind } from '../harness/install-error.ts'
export { installHarness, type InstallOptions } from '../harness/install-harness.ts'
export { licenceTextOf, type LicenceTextOptions } from '../harness/licences/licence-text-of.ts'
export type { LicenceText } from '../harness/licences/licence-text.ts'
export { licencesOf, type PackageLicence, proprietaryIn } from '../harness/licences/licences-of.ts'
export {
  detachInstalled,
  findInstalled,
  type FoundInstall,
  listInstalled,
  verifyInstalled,
} from '../harness/store/installed.ts'
export { harnessStore, type HarnessVersion } from '../harness/store/places.ts'
export { sweepScratch } from '../harness/store/scratch.ts'
export type { Installed } from '../harness/store/settle.ts'
export { harnessTarget } from '../harness/target.ts'
export { exportInstalled } from '../harness/transfer/export-installed.ts'
export { type Imported, importInstalled, type ImportOptions } from '../harness/transfer/import-installed.ts'
export { doorEnv, doorProblem, providerBehindDoor } from '../settings/door-env.ts'
export { deploymentEnv } from '../settings/deployment-env.ts'
export { sandboxChoice } from '../settings/sandbox-choice.ts'
export { sandboxEnv } from '../settings/sandbox-env.ts'
export { warmPoolEnv } from '../settings/warm-pool-env.ts'
export { openMetricsProblem } from '../settings/closed-metrics.ts'
export { bootBundle, sandboxTools } from '../settings/tools.ts'
export { openPrograms } from '../programs/open-programs.ts'
