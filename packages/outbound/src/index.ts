export { addressRanges, outboundEnv } from './env.ts'
export { guardedAgent } from './guarded-agent.ts'
export { guardedFetch } from './guarded-fetch.ts'
export { checkTarget, type OutboundRules, RefusedTarget } from './target.ts'
