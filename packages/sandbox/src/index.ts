export {
  chooseProvider,
  type ChosenProvider,
  type ProviderChoice,
  type ProviderName,
  providerNames,
} from './choose-provider.ts'
export {
  createMemoryProvider,
  type MemoryOperation,
  type MemoryProvider,
  type MemoryProviderOptions,
  type MemorySandbox,
} from './memory-provider.ts'
export { createDockerProvider } from './docker/create-docker-provider.ts'
export type { DockerProviderOptions } from './docker/options.ts'
export { dockerSettings, type DockerSettings } from './docker/settings.ts'
export { kubernetesEnv, type KubernetesSettings, kubernetesSettings } from './kubernetes/settings.ts'
export { createProcessProvider } from './process/create-process-provider.ts'
export type { ProcessProviderOptions, ProviderLog } from './process/host.ts'
export { egressModes } from './process/network/egress.ts'
export type { ToolSources } from './process/tools.ts'
export type {
  BuildFile,
  CreatedSandbox,
  LastWords,
  ProviderDescription,
  SandboxEndpoint,
  SandboxLimits,
  SandboxProvider,
  SandboxSpec,
  SandboxStatus,
  SandboxTemplate,
  TemplateBuild,
  StartedSandbox,
} from './provider.ts'
export { SandboxError, type SandboxErrorKind } from './sandbox-error.ts'
export { closedFolder } from './process/user-ids.ts'
