import type { Client } from '../src/index.ts'

/** A call of each operation on connectors, as in `operations.test.ts`. */
export const connectorCalls: Readonly<Record<string, (client: Client) => unknown>> = {
  listConnectors: ({ projects }) => projects.connectors.list('project_id'),
  getConnector: ({ projects }) => projects.connectors.get('project_id', 'slug'),
  createConnector: ({ projects }) =>
    projects.connectors.create('project_id', { slug: 'slug', provider: 'mcp' }),
  deleteConnector: ({ projects }) => projects.connectors.delete('project_id', 'slug'),
  listConnectorActions: ({ projects }) => projects.connectors.actions('project_id', 'slug'),
  syncConnector: ({ projects }) => projects.connectors.sync('project_id', 'slug'),
  acceptConnectorActions: ({ projects }) =>
    projects.connectors.accept('project_id', 'slug', { catalogue_digest: 'd' }),
  testConnectorPolicy: ({ projects }) =>
    projects.connectors.testPolicy('project_id', 'slug', { action: 'a' }),
  listConnections: ({ projects }) => projects.connectors.connections.list('project_id', 'slug'),
  createConnection: ({ projects }) =>
    projects.connectors.connections.create('project_id', 'slug', { credential: { token: 't' } }),
  updateConnection: ({ projects }) =>
    projects.connectors.connections.update('project_id', 'slug', 'connection_id', { label: 'l' }),
  deleteConnection: ({ projects }) =>
    projects.connectors.connections.delete('project_id', 'slug', 'connection_id'),
  testConnection: ({ projects }) =>
    projects.connectors.connections.test('project_id', 'slug', 'connection_id'),
  beginConnectorAuthorization: ({ projects }) =>
    projects.connectors.authorizations.begin('project_id', 'slug'),
  getConnectorAuthorization: ({ projects }) =>
    projects.connectors.authorizations.get('project_id', 'slug', 'authorization_id'),
  finishConnectorAuthorization: ({ projects }) =>
    projects.connectors.authorizations.finish('project_id', 'slug', 'authorization_id'),
  searchConnectorTools: ({ projects }) => projects.connectorCalls.search('project_id'),
  createConnectorCall: ({ projects }) =>
    projects.connectorCalls.create('project_id', { connector: 'c', action: 'a' }),
  listConnectorCalls: ({ projects }) => projects.connectorCalls.list('project_id'),
  getConnectorCall: ({ projects }) => projects.connectorCalls.get('project_id', 'call_id'),
  cancelConnectorCall: ({ projects }) => projects.connectorCalls.cancel('project_id', 'call_id'),
  settleConnectorCall: ({ projects }) =>
    projects.connectorCalls.settle('project_id', 'call_id', { outcome: 'happened' }),
  listApprovals: ({ projects }) => projects.approvals.list('project_id'),
  getApproval: ({ projects }) => projects.approvals.get('project_id', 'call_id'),
  decideApproval: ({ projects }) =>
    projects.approvals.decide('project_id', 'call_id', { decision: 'deny', digest: 'd' }),
  getTriggerBindings: ({ projects }) => projects.triggers.bindings('project_id', 'slug'),
  setTriggerBindings: ({ projects }) => projects.triggers.setBindings('project_id', 'slug', {}),
  getSessionConnectors: ({ projects }) => projects.sessions.connectors.get('project_id', 'session_id'),
  setSessionConnectors: ({ projects }) => projects.sessions.connectors.set('project_id', 'session_id', {}),
}
