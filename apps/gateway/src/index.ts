export { createGateway, type GatewayParts } from './app.ts'
export { endpointHasModel, modelEnv, modelHasEndpoint } from './model-env.ts'
export { type Upstream, upstreamOf } from './upstream.ts'
export { Env as gatewaySettings } from './env.ts'
