export { type CallResult, mostBytes, type SendRequest } from './call-api.ts'
export { type McpServerFactory, mcpServers } from './server.ts'
