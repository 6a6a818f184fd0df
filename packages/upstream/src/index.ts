export {
  type CallOptions,
  type Provider,
  type Target,
  type UpstreamOutcome,
  UpstreamRefusal,
  type Wire,
  type WireRequest,
} from './shapes.ts'
