export {
  type CredentialField,
  credentialFields,
  type CredentialIssue,
  credentialIssues,
} from './auth/auth.ts'
export { createProviders, type Providers, type ProvidersOptions } from './providers.ts'
export {
  type CallOptions,
  type Provider,
  type Target,
  type UpstreamOutcome,
  UpstreamRefusal,
  type Wire,
  type WireRequest,
} from './shapes.ts'
export { mcpProvider } from './providers/mcp/provider.ts'
export { type FetchLike, fetchOver } from './fetch-over.ts'
export { beginOAuth, finishOAuth, type OAuthBeginning } from './oauth/authorize.ts'
export { discoverOAuth } from './oauth/discover.ts'
export { registerOAuthClient } from './oauth/register.ts'
export type { OAuthClient, OAuthServer, OAuthTokens } from './oauth/server.ts'
export { refreshOAuth, revokeOAuth } from './oauth/tokens.ts'
export type { Aggregator, AggregatorAccount } from './providers/aggregators/aggregator.ts'
export { type AggregatorsConfig, parseAggregators } from './providers/aggregators/config.ts'
export {
  aggregatorOf,
  aggregatorProvider,
  type Aggregators,
  createAggregators,
} from './providers/aggregators/provider.ts'
export {
  CallLeft,
  type ComputerCalls,
  type ComputerHub,
  createComputerHub,
  type Upgrade,
} from './providers/computer/hub.ts'
export type { ChannelCalls, ChannelWish } from './providers/channel.ts'
export { computerProvider } from './providers/computer/provider.ts'
