export { apiWait, apiWaitMs } from './api-wait.ts'
export { backupName, backupNamePattern } from './backup-name.ts'
export { canonicalJson } from './canonical-json.ts'
export { capabilities, type Capability, defaultAgentGrant } from './capabilities.ts'
export { type CheckName, checkNames, type Finding } from './checks.ts'
export { type Entitlement, entitlements } from './money/entitlements.ts'
export { durationMs, durationPattern } from './durations.ts'
export {
  bearerToken,
  commitShaPattern,
  envNamePattern,
  modelNamePattern,
  platformNamePattern,
  sha256Pattern,
  signInProviderPattern,
  slugPattern,
  slugSource,
  upperEnvNamePattern,
  uuidPattern,
} from './patterns.ts'
export { type AskKind, askKinds, type InboxKind, inboxKinds } from './inbox.ts'
export { isDeeper } from './json-depth.ts'
export { isLocalName, isLoopback, isLoopbackAddress } from './loopback.ts'
export { fileNamePattern, inboxFolder, maxFileBytes } from './files/message-files.ts'
export { type MaintenanceMode, maintenanceModes } from './maintenance.ts'
export {
  type BillingState,
  billingStates,
  type BudgetLevel,
  budgetLevels,
  type BudgetMode,
  budgetModes,
  type BudgetPeriod,
  budgetPeriods,
  type LedgerKind,
  ledgerKinds,
  maxMicros,
  type PlanBilling,
  planBillings,
  type PlanGateway,
  planGateways,
  type SpendGroup,
  spendGroups,
} from './money/lists.ts'
export {
  defaultNotification,
  type NotificationKind,
  notificationKinds,
  type NotificationSettings,
  type NotificationWay,
  notificationWays,
  type WatchLevel,
  watchLevels,
} from './notifications.ts'
export { namesProxy, proxyVariables } from './proxies.ts'
export { type RepositoryStoreName, repositoryStores } from './repository-stores.ts'
export {
  type BuiltRuntime,
  defaultConfigDir,
  defaultRuntime,
  harnessRuntime,
  type ManifestRuntime,
  manifestRuntimes,
  type RuntimeBinaryVariable,
  type RuntimeName,
  runtimeNames,
  type RuntimeProgram,
  runtimePrograms,
} from './runtimes.ts'
export { secretNameLength } from './secrets.ts'
export { liveSessionStatuses } from './sessions.ts'
export { sizeWords } from './files/size-words.ts'
export {
  type FireKind,
  fireKinds,
  type MonitorMode,
  monitorModes,
  type Overlap,
  overlaps,
  type SessionMode,
  sessionModes,
  type TriggerType,
  triggerTypes,
} from './triggers.ts'
export { builtInTiers, type Tier, tierPattern } from './money/tiers.ts'
export { microsOfUsd, usd } from './money/usd.ts'
export { type WorkKind, workKinds } from './work.ts'
export { counted } from './text/counted.ts'
export { visibleText } from './text/visible-text.ts'
