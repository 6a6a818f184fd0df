import {
  accessModes,
  appTypes,
  channelKinds,
  desiredStates,
  instanceMachine,
  lineSources,
  lineStreams,
  releaseMachine,
  releaseSources,
  rolloutKinds,
  rolloutMachine,
} from '@svc/app/states'
import { accountRoles, backupMachine, projectMachine, projectRoles } from '@svc/access'
import { actionStates, approvalMachine, callMachine as connectorCallMachine, risks } from '@svc/connector'
import {
  channelPlatforms,
  channelPolicies,
  channelStatuses,
  channelTransports,
  deliveryKinds,
  deliveryVerdicts,
  messageKinds,
  messageStates,
  threadReplies,
} from '@svc/channel/states'
import { changeRequestMachine, mergeAttemptMachine, mergeIntentMachine } from '@svc/change-request'
import {
  disabledReasons,
  eventDeliveryMachine,
  subscriptionOrderings,
  subscriptionStatuses,
} from '@svc/event/states'
import { reviewKinds, reviewMachine, reviewRisks } from '@svc/connector/states'
import {
  askKinds,
  fireKinds,
  maintenanceModes,
  notificationKinds,
  notificationWays,
  triggerTypes,
  watchLevels,
} from '@svc/facts'
import {
  askMachine,
  branchMachine,
  checkPartMachine,
  eventPartitionMachine,
  previewMachine,
  promptMachine,
  promptSources,
  sandboxMachine,
  sessionMachine,
  sessionOrigins,
  stopReasons,
  warmSandboxMachine,
} from '@svc/session'
import { harnessAuths, installMachine, runtimeMachine } from '@svc/harness'
import { callMachine } from '@svc/models'
import { deliveryMachine, fireMachine, manifestEditMachine, monitorStates } from '@svc/trigger'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  billingStates,
  budgetLevels,
  budgetModes,
  budgetPeriods,
  ledgerKinds,
  planBillings,
  planGateways,
} from '@svc/facts'
import { auditOutcomes, callDialects, oauthModels, providerScopes } from '../src/index.ts'
import {
  breakerStates,
  outputLimitFields,
  providerKinds,
  providerManagers,
} from '../src/gateway/gateway.table.ts'
import {
  authorizationStatuses,
  callDoors,
  connectionKinds,
  connectionStatuses,
  connectorStatuses,
} from '../src/connectors/connectors.table.ts'
import { type TestDatabase, testDatabase } from '../src/testing/index.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

const machines: Readonly<Record<string, readonly string[]>> = {
  'harness_installs.state': installMachine.states,
  'session_runtimes.state': runtimeMachine.states,
  'app_instances.state': instanceMachine.states,
  'app_releases.status': releaseMachine.states,
  'app_rollouts.status': rolloutMachine.states,
  'backups.state': backupMachine.states,
  'change_requests.status': changeRequestMachine.states,
  'check_parts.state': checkPartMachine.states,
  'connector_approvals.status': approvalMachine.states,
  'connector_calls.status': connectorCallMachine.states,
  'channel_deliveries.verdict': deliveryVerdicts,
  'channel_messages.state': messageStates,
  'project_channels.status': channelStatuses,
  'event_deliveries.state': eventDeliveryMachine.states,
  'event_partitions.state': eventPartitionMachine.states,
  'gateway_calls.status': callMachine.states,
  'manifest_edits.status': manifestEditMachine.states,
  'merge_attempts.status': mergeAttemptMachine.states,
  'merge_intents.state': mergeIntentMachine.states,
  'project_sessions.status': sessionMachine.states,
  // A copy of the fire that was settled last.
  'project_triggers.last_status': fireMachine.states,
  'projects.status': projectMachine.states,
  'review_items.status': reviewMachine.states,
  'session_asks.state': askMachine.states,
  'session_branches.state': branchMachine.states,
  'session_previews.state': previewMachine.states,
  'session_prompts.state': promptMachine.states,
  'session_sandboxes.status': sandboxMachine.states,
  'trigger_deliveries.verdict': deliveryMachine.states,
  'trigger_fires.status': fireMachine.states,
  'warm_sandboxes.state': warmSandboxMachine.states,
}

/** Words that no machine leads to: a row begins with them, a person chooses them anew, a sandbox reports them. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  'session_runtimes.auth': harnessAuths,
  'account_invitations.role': accountRoles,
  'account_members.role': accountRoles,
  'account_roles.base_role': projectRoles,
  'app_channels.kind': channelKinds,
  'app_log_lines.source': lineSources,
  'app_log_lines.stream': lineStreams,
  'app_releases.source': releaseSources,
  'app_rollouts.kind': rolloutKinds,
  'app_switches.kind': rolloutKinds,
  'apps.access_mode': accessModes,
  'apps.desired': desiredStates,
  'apps.type': appTypes,
  'audit_events.outcome': auditOutcomes,
  'platform_audit_events.outcome': auditOutcomes,
  // Of a subscription: credit that is exhausted is the account’s.
  'billing_subscriptions.billing_state': billingStates.filter((state) => state !== 'exhausted'),
  'connector_actions.risk': risks,
  'connector_actions.state': actionStates,
  'connector_authorizations.status': authorizationStatuses,
  'connector_calls.door': callDoors,
  'connector_calls.risk': risks,
  'connector_connections.kind': connectionKinds,
  'connector_connections.status': connectionStatuses,
  'credit_accounts.billing_state': billingStates,
  'credit_ledger.kind': ledgerKinds,
  'channel_deliveries.kind': deliveryKinds,
  'channel_links.platform': channelPlatforms,
  'channel_messages.kind': messageKinds,
  'channel_threads.policy': channelPolicies,
  'project_channels.platform': channelPlatforms,
  'project_channels.policy': channelPolicies,
  'project_channels.thread_replies': threadReplies,
  'project_channels.transport': channelTransports,
  'event_subscriptions.disabled_reason': disabledReasons,
  'event_subscriptions.ordering': subscriptionOrderings,
  'event_subscriptions.status': subscriptionStatuses,
  'review_items.kind': reviewKinds,
  'review_items.risk': reviewRisks,
  'gateway_budgets.level': budgetLevels,
  'gateway_budgets.mode': budgetModes,
  'gateway_budgets.period': budgetPeriods,
  'gateway_calls.dialect': callDialects,
  'gateway_calls.provider_scope': providerScopes,
  'gateway_breakers.state': breakerStates,
  'gateway_prices.scope': providerScopes,
  'gateway_providers.kind': providerKinds,
  'gateway_providers.managed_by': providerManagers,
  'gateway_providers.output_limit_field': outputLimitFields,
  'gateway_providers.scope': providerScopes,
  'gateway_settings.scope': providerScopes,
  'maintenance.mode': maintenanceModes,
  'oauth_artefacts.model': oauthModels,
  'plans.billing': planBillings,
  'plans.gateway': planGateways,
  'project_connectors.status': connectorStatuses,
  'project_members.role': projectRoles,
  'project_monitors.state': monitorStates.filter((state) => state !== 'paused'),
  'project_sessions.origin': sessionOrigins,
  'project_sessions.stop_reason': stopReasons,
  'project_triggers.type': triggerTypes,
  'scim_group_projects.role': projectRoles,
  'notification_settings.kind': notificationKinds,
  'notification_settings.way': notificationWays,
  'notifications.kind': notificationKinds,
  'project_watches.level': watchLevels,
  'session_asks.kind': askKinds,
  'session_prompts.source': promptSources,
  'trigger_fires.type': fireKinds,
}

/** Kinds that are types alone. */
const types = [
  'account_sso.default_role',
  'audit_events.actor_type',
  'browser_sessions.source',
  'check_parts.queue',
  'connector_approvals.decision',
  'connector_calls.delivery',
  'inbox_marks.state',
  'machines.state',
  'platform_audit_events.actor_type',
  'processes.state',
  'project_sessions.visibility',
  'projects.kind',
  'repositories.store',
  'schema_migrations.phase',
  'scim_groups.account_role',
  'session_claims.work',
  'session_sandboxes.owed',
  'sign_in_codes.purpose',
  'sign_in_tokens.kind',
  'sign_ins.end_reason',
  'sign_ins.method',
  'tokens.kind',
]

/** The words that each column may hold, by table and column. */
async function listsOfWords(): Promise<Record<string, readonly string[]>> {
  const { rows } = await sql<{ table: string; definition: string }>`
    select conrelid::regclass::text as table, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'c' and connamespace = 'public'::regnamespace`.execute(database.db)
  const lists = rows.flatMap(({ table, definition }) => {
    const [, column, list] =
      /^CHECK \(\((\w+) = ANY \(ARRAY\[([^\]]*)\]\)\)\)(?: NOT VALID)?$/.exec(definition) ?? []
    if (column === undefined || list === undefined) return []
    return [[`${table}.${column}`, [...list.matchAll(/'([^']*)'/g)].map(([, word = '']) => word)] as const]
  })
  return Object.fromEntries(lists)
}

test.each(Object.entries(machines))(
  '%s may be what its machine says, and nothing else',
  async (column, states) => {
    expect((await listsOfWords())[column]?.toSorted()).toEqual(states.toSorted())
  },
)

test.each(Object.entries(kinds))('%s may be one of the kinds that there are', async (column, words) => {
  expect((await listsOfWords())[column]?.toSorted()).toEqual(words.toSorted())
})

test('there is no other list of words', async () => {
  const known = [...Object.keys(machines), ...Object.keys(kinds), ...types]
  expect(Object.keys(await listsOfWords()).sort()).toEqual(known.sort())
})
