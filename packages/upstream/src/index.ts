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
