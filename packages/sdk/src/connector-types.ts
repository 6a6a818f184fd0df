import type { connectorAuthorizations, connectorBindings, connectorCalls, connectors } from '@svc/contract'
import type { z } from 'zod'
import type { AnswerOf, BodyOf, QueryOf } from './http/route.ts'

/** A service that the manifest declares, with its state and the connection that would be used. */
export type Connector = z.output<typeof connectors.Connector>
export type ConnectorList = z.output<typeof connectors.ConnectorList>
/** An entry of `connectors` as `svc.yaml` has it. */
export type CreateConnectorInput = BodyOf<typeof connectors.createConnector>
/** An edit of the manifest that stands: the connector, and the commit that has it. */
export type CommittedConnector = { readonly connector: Connector; readonly commit_sha: string }
/** An action with what would become of a call of it. */
export type ConnectorAction = z.output<typeof connectors.ConnectorActionItem>
export type ConnectorPolicyTest = z.output<typeof connectors.PolicyTest>
export type AcceptConnectorActionsInput = BodyOf<typeof connectors.acceptConnectorActions>
export type TestConnectorPolicyInput = BodyOf<typeof connectors.testConnectorPolicy>
/** A credential of a connector, by the names of its fields alone. */
export type Connection = z.output<typeof connectors.Connection>
export type ConnectionTest = AnswerOf<typeof connectors.testConnection>
export type CreateConnectionInput = BodyOf<typeof connectors.createConnection>
/** A sign-in at the service of a connector, from its beginning to the connection. */
export type ConnectorAuthorization = z.output<typeof connectorAuthorizations.ConnectorAuthorization>
export type BeginConnectorAuthorizationInput = BodyOf<
  typeof connectorAuthorizations.beginConnectorAuthorization
>
export type UpdateConnectionInput = BodyOf<typeof connectors.updateConnection>
/** The end of a call, or why it has none: a union on `status`, and on `ok`. */
export type ConnectorOutcome = z.output<typeof connectorCalls.CallOutcome>
/** The same with `call`, its row of the ledger. */
export type ConnectorCallState = z.output<typeof connectorCalls.CallState>
export type ConnectorCall = z.output<typeof connectorCalls.ConnectorCall>
export type CreateConnectorCallInput = BodyOf<typeof connectorCalls.createConnectorCall>
export type ListConnectorCallsQuery = QueryOf<typeof connectorCalls.listConnectorCalls>
export type SettleConnectorCallInput = BodyOf<typeof connectorCalls.settleConnectorCall>
export type ConnectorTools = AnswerOf<typeof connectorCalls.searchConnectorTools>
export type SearchConnectorToolsQuery = QueryOf<typeof connectorCalls.searchConnectorTools>
/** A frozen call with everything that is decided on. */
export type Approval = z.output<typeof connectorCalls.Approval>
export type ListApprovalsQuery = QueryOf<typeof connectorCalls.listApprovals>
export type DecideApprovalInput = BodyOf<typeof connectorCalls.decideApproval>
/** The connectors of a session, and the connection that its next call of each takes. */
export type SessionConnectorList = z.output<typeof connectorBindings.SessionConnectors>
export type TriggerBindings = z.output<typeof connectorBindings.TriggerBindings>
/** Connections by the slugs of their connectors: `{ tracker: { connection_id } }`. */
export type ConnectorBindings = BodyOf<typeof connectorBindings.setSessionConnectors>['connector_bindings']
