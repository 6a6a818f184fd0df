export { chooseProvider, type ChosenProvider, type ProviderChoice } from './choose-provider.ts'
export { type ProviderName, type ProviderOrder, providerNames, providerOrder } from './provider-order.ts'
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
export { dockerSettings, type DockerSettings } from './providers/docker/settings.ts'
export {
  kubernetesEnv,
  type KubernetesSettings,
  kubernetesSettings,
} from './providers/kubernetes/settings.ts'
export { createProcessProvider } from './providers/process/create-process-provider.ts'
export { sharedNetwork, sharesLoopback } from './providers/process/describe-host.ts'
export type { ProcessProviderOptions, ProviderLog } from './providers/process/host.ts'
export { egressModes } from './network/egress.ts'
export type { ToolProgram, ToolSources } from './shared/tools/tools.ts'
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
export { closedFolder } from './providers/process/user-ids.ts'
