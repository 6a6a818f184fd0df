export { createGateway, type GatewayParts } from './app.ts'
export { type Upstream, upstreamOf } from './upstream.ts'
