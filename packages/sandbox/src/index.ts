export { chooseProvider, type ChosenProvider, type ProviderChoice } from './choose-provider.ts'
export { type ProviderName, type ProviderOrder, providerNames, providerOrder } from './provider-order.ts'
export {
  createMemoryProvider,
  type MemoryOperation,
  type MemoryProvider,
  type MemoryProviderOptions,
  type MemorySandbox,
} from './memory-provider.ts'
export { defaultLimits, limitSettings } from './default-limits.ts'
export { createDockerProvider } from './docker/create-docker-provider.ts'
export type { DockerProviderOptions } from './docker/options.ts'
export { dockerSettings, type DockerSettings } from './docker/settings.ts'
export { kubernetesEnv, type KubernetesSettings, kubernetesSettings } from './kubernetes/settings.ts'
export { createProcessProvider } from './process/create-process-provider.ts'
export { sharedNetwork, sharesLoopback } from './process/describe-host.ts'
export type { ProcessProviderOptions, ProviderLog } from './process/host.ts'
export { egressModes } from './relay/egress.ts'
export type { ToolSources } from './process/tools.ts'
export type {
  BuildFile,
  CreatedSandbox,
  LastWords,
  ProviderDescription,
  ProviderEdge,
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
export { speaksFor } from './provider.ts'
export { SandboxError, type SandboxErrorKind } from './sandbox-error.ts'
export { closedFolder } from './process/user-ids.ts'
