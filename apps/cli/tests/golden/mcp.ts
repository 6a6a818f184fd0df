import type { Route } from '../support/stub-api.ts'

const operation = {
  operationId: 'listProjects',
  summary: 'List projects',
  description: 'The projects that you reach.',
  tags: ['Projects'],
  responses: { 200: { description: 'Projects' } },
}
const document = {
  openapi: '3.1.0',
  info: { title: 'svc', version: '1.2.3' },
  paths: { '/v1/projects': { get: operation } },
}

export const mcpRoutes: Readonly<Record<string, Route>> = {
  'GET /v1/openapi.json': () => ({ status: 200, body: document }),
}

const client = { name: 'editor', version: '1' }
const requests = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: client },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/call', params: { name: 'search_api', arguments: { query: 'my projects' } } },
  {
    id: 3,
    method: 'tools/call',
    params: { name: 'call_api', arguments: { method: 'GET', path: '/v1/none' } },
  },
]

/** The messages of an editor to it, one a line. */
export const mcpLine = {
  line: 'mcp',
  input: requests.map((request) => `${JSON.stringify({ jsonrpc: '2.0', ...request })}\n`).join(''),
} as const
