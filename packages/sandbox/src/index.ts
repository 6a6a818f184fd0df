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
export { createProcessProvider } from './process/create-process-provider.ts'
export type { ProcessProviderOptions, ProviderLog } from './process/host.ts'
export type { ToolSources } from './process/tools.ts'
export type {
  CreatedSandbox,
  LastWords,
  ProviderDescription,
  SandboxEndpoint,
  SandboxLimits,
  SandboxProvider,
  SandboxSpec,
  SandboxStatus,
  SandboxTemplate,
  StartedSandbox,
} from './provider.ts'
export { SandboxError, type SandboxErrorKind } from './sandbox-error.ts'
export { closedFolder } from './process/user-ids.ts'
