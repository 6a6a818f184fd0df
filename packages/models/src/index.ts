export {
  type CallBounds,
  clampedOutput,
  cutLimit,
  defaultOutputLimit,
  floorMicros,
  outputLimit,
  wantMicros,
} from './bounds/hold.ts'
export { countedInputBound, inputBound, type InputSize } from './bounds/input-bound.ts'
export { clampedThinking } from './bounds/thinking.ts'
export { callMachine, type CallStatus, liveCallStatuses } from './calls/call-machine.ts'
export { noUsage, Usage, usageOf } from './calls/usage.ts'
export { findModel, type ModelOffer } from './names/find-model.ts'
export { type Allowlist, keptOutBy, matchesGlob } from './names/globs.ts'
export {
  type ModelName,
  modelText,
  ownProvider,
  splitModelName,
  withoutOwnPrefix,
} from './names/model-name.ts'
export { nearNames } from './names/near-names.ts'
export { type ModelPlace, nearestFirst, nearestProviders } from './places/nearest.ts'
export { type PlacedPrice, type Priced, priceOf } from './places/price.ts'
export { allowlists, offeredDefaults, settingsByPlace, type SettingsOfPlaces } from './places/settings.ts'
export { PriceCard } from './prices/card.ts'
export { costMicros } from './prices/cost.ts'
export { canonicalCard, priceIdOf } from './prices/price-id.ts'
export { dearestRates, isFree, ratesAt, type Rates } from './prices/rates.ts'
export type {
  AnswerReading,
  CallRequest,
  Cut,
  Dialect,
  DialectName,
  EventReading,
  PassedEdits,
  StreamFollower,
  TranslatedDialect,
} from './dialects/dialect.ts'
export { addressedText, countedBody } from './dialects/generate-content/addressed.ts'
export { dialectNames } from './dialects/dialect.ts'
export { dialects } from './dialects/dialects.ts'
export { type Body, notBounded, parseBody } from './dialects/kit/body.ts'
export type { Refusal } from './dialects/kit/refusal.ts'
export { eventText, type StreamEvent } from './dialects/kit/stream-event.ts'
export { type OutputCounter, outputCounter, outputTokens } from './counting/output-counter.ts'
export { type CountTokens, countTokens, loadTokenizer } from './counting/tokenizer.ts'
export { libraryCard, type PricedModel } from './prices/library.ts'
export {
  defaultOutputLimitField,
  NewProvider,
  outputLimitFields,
  ProviderDeadlines,
  type ProviderKind,
  ProviderModel,
  ProviderSlug,
} from './providers/new-provider.ts'
export { providerAddress, providerAuthorization } from './providers/address.ts'
export { compatibleName } from './hub/call-options.ts'
export type { AnswerHead, HubDialect, HubResult, HubStreamWriter, HubTarget } from './hub/hub.ts'
export { hubUsage } from './hub/usage.ts'
