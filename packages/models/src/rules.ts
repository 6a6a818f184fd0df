/** The shapes of what people set about models, for those who only describe them: nothing here asks a model. */
export { PriceCard } from './prices/card.ts'
export {
  outputLimitFields,
  ProviderApiKey,
  ProviderBaseUrl,
  ProviderDeadlines,
  providerKinds,
  ProviderModel,
  ProviderSlug,
} from './providers/new-provider.ts'
