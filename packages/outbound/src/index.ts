export { addressRanges, outboundEnv } from './env.ts'
export { guardedAgent } from './guarded-agent.ts'
export { guardedFetch } from './guarded-fetch.ts'
export { guardedWire } from './guarded-wire.ts'
export {
  allowedAddresses,
  checkGivenTarget,
  checkTarget,
  type OutboundRules,
  RefusedTarget,
} from './target.ts'
