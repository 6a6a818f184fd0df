export { type CallResult, maxBytes, type SendRequest } from './call-api.ts'
export { type McpServerFactory, mcpServers } from './server.ts'
