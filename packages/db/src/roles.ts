import type { Database } from './database.ts'
import { channelGrants } from './grants/channels.ts'
import { moneyGrants } from './grants/money.ts'
import { notificationGrants } from './grants/notifications.ts'
import { sessionGrants } from './grants/sessions.ts'
import { type ServiceGrants, services, type Verbs } from './grants/services.ts'

export { services, type Verbs } from './grants/services.ts'

/** The role that owns the schema, that of each service, and the one that reads everything. */
export const roles = [
  'svc_owner',
  ...services.map((service) => `svc_${service}` as const),
  'svc_backup',
] as const
export type Role = (typeof roles)[number]

/** Tables that libraries write: Kysely's record of what ran, the counters of requests. */
type LibraryTable = 'kysely_migration' | 'kysely_migration_lock' | 'rate_limits'

/** The rights of each service on each table; PostgreSQL refuses it the rest. A new table has its row, if only an empty one. */
export const grants: Readonly<Record<keyof Database | LibraryTable, ServiceGrants>> = {
  kysely_migration: { api: 'r', scheduler: 'r', merge: 'r' },
  kysely_migration_lock: {},
  rate_limits: { api: 'rawd' },
  schema_state: {
    api: 'r',
    scheduler: 'r',
    merge: 'r',
    sandbox: 'r',
    gateway: 'r',
    executor: 'r',
    app: 'r',
    proxy: 'r',
    channel: 'r',
  },
  schema_migrations: { api: 'r', scheduler: 'r', merge: 'r' },
  schema_backfills: { api: 'r' },
  maintenance: {
    api: 'rw',
    scheduler: 'r',
    merge: 'r',
    sandbox: 'r',
    executor: 'r',
    app: 'r',
    channel: 'r',
  },
  processes: {
    api: 'rawd',
    scheduler: 'rawd',
    merge: 'rawd',
    sandbox: 'rawd',
    gateway: 'rawd',
    executor: 'rawd',
    app: 'rawd',
    proxy: 'rawd',
    channel: 'rawd',
  },
  machines: { api: 'raw', scheduler: 'r', sandbox: 'raw', channel: 'r' },
  backups: { api: 'raw', scheduler: 'rawd', merge: 'r' },
  job_failures: {
    api: 'raw',
    scheduler: 'rd',
    merge: 'raw',
    sandbox: 'raw',
    executor: 'raw',
    app: 'raw',
    channel: 'raw',
  },
  check_runs: { api: 'ra', scheduler: 'rd', merge: 'r', sandbox: 'r' },
  check_parts: { api: 'ra', scheduler: 'r', merge: 'rw', sandbox: 'rw' },
  platform_audit_head: { api: 'raw', merge: 'r' },
  platform_audit_events: { api: 'ra', merge: 'r' },
  accounts: {
    api: 'raw',
    scheduler: 'rl',
    sandbox: 'rl',
    gateway: 'r',
    executor: 'rl',
    app: 'r(account_id,suspended_at,tier)',
    proxy: 'r(account_id,suspended_at,tier)',
    channel: 'rl',
  },
  users: { api: 'raw', channel: 'r(user_id,email,name)' },
  account_members: {
    api: 'rawd',
    gateway: 'r',
    proxy: 'r(account_id,user_id,role)',
    channel: 'r(account_id,user_id,role)',
  },
  plans: {
    api: 'rawd',
    scheduler: 'r',
    sandbox: 'r',
    gateway: 'r',
    executor: 'r',
    app: 'r',
    proxy: 'r',
    channel: 'r',
  },
  ...moneyGrants,
  account_roles: { api: 'rawd', proxy: 'r(role_id,capabilities)', channel: 'r(role_id,capabilities)' },
  account_domains: { api: 'rawd', channel: 'r' },
  account_sso: { api: 'rawd', merge: 'r(account_id,sealed_data_key)', channel: 'r(account_id,enforced)' },
  account_invitations: { api: 'raw' },
  service_accounts: { api: 'raw', channel: 'r(service_account_id)' },
  scim_users: { api: 'rawd' },
  scim_groups: { api: 'rawd' },
  scim_group_members: { api: 'rad', proxy: 'r' },
  scim_group_projects: { api: 'rad' },
  project_features: {
    api: 'raw',
    scheduler: 'r',
    sandbox: 'r',
    gateway: 'r',
    app: 'r',
    proxy: 'r',
    channel: 'r',
  },
  account_features: { api: 'rawd', gateway: 'r', app: 'r', proxy: 'r', channel: 'r' },
  platform_features: {
    api: 'raw',
    scheduler: 'r',
    sandbox: 'r',
    gateway: 'r',
    app: 'r',
    proxy: 'r',
    channel: 'r',
  },
  audit_anchors: { api: 'r', scheduler: 'raw', merge: 'r' },
  audit_heads: { api: 'raw', scheduler: 'raw', merge: 'raw', gateway: 'raw', app: 'raw', channel: 'raw' },
  audit_events: { api: 'ra', scheduler: 'rad', merge: 'ra', gateway: 'a', app: 'a', channel: 'a' },
  projects: {
    api: 'raw',
    scheduler: 'rl',
    merge: 'rw(last_cr_number)',
    sandbox: 'rl',
    gateway: 'o',
    executor: 'r',
    app: 'rw(apps_commit_sha)',
    proxy: 'r(project_id,account_id,status)',
    channel: 'rl',
  },
  repositories: {
    api: 'r',
    scheduler: 'r',
    merge: 'raw',
    sandbox: 'r',
    executor: 'r',
    app: 'r',
    channel: 'r',
  },
  project_members: {
    api: 'rawd',
    proxy: 'r(project_id,user_id,role,role_id)',
    channel: 'r',
  },
  provision_keys: { api: 'rawd' },
  personal_secrets: { api: 'rawd', sandbox: 'r' },
  project_secrets: { api: 'rawd', scheduler: 'r', sandbox: 'r', app: 'r' },
  secret_accesses: { api: 'r', scheduler: 'rad', sandbox: 'ra' },
  project_secret_writes: { api: 'rad' },
  ...sessionGrants,
  ...channelGrants,
  harness_installs: { api: 'raw', scheduler: 'raw', sandbox: 'raw', channel: 'raw' },
  harness_licences: { api: 'raw', scheduler: 'r', sandbox: 'r', channel: 'r' },
  platform_events: { api: 'r', channel: 'rwd' },
  platform_event_heads: { api: 'r', channel: 'raw' },
  event_subscriptions: {
    api: 'rawd',
    scheduler: 'r(subscription_id,sealed_data_key)',
    merge: 'r(subscription_id,sealed_data_key)',
    channel: 'rw',
  },
  event_subscription_secrets: { api: 'rawd', channel: 'r' },
  event_deliveries: { api: 'raw', channel: 'raw' },
  event_attempts: { api: 'r', channel: 'ra' },
  tokens: { api: 'raw', scheduler: 'rw', sandbox: 'raw', gateway: 'rw(last_used_at)' },
  user_credentials: { api: 'raw' },
  user_totp: { api: 'rawd', merge: 'r(user_id,sealed_data_key)' },
  user_identities: { api: 'ra' },
  user_recovery_codes: { api: 'rawd' },
  sign_ins: { api: 'rawd' },
  sign_in_tokens: { api: 'rawd' },
  sign_in_codes: { api: 'rawd', merge: 'r(code_id,sealed_data_key)' },
  browser_sessions: { api: 'rawd' },
  change_requests: {
    api: 'raw',
    scheduler: 'rw',
    merge: 'rw',
    sandbox: 'rw',
    app: 'r',
    proxy: 'r(cr_id,status)',
    channel: 'rw',
  },
  cr_viewed_files: { api: 'rawd' },
  inbox_marks: { api: 'rawd' },
  ...notificationGrants,
  review_items: { api: 'raw' },
  change_request_authors: { api: 'ra', merge: 'r', channel: 'r' },
  merge_attempts: {
    api: 'ra',
    scheduler: 'rd',
    merge: 'rw',
    channel: 'ra',
  },
  merge_intents: { api: 'r', scheduler: 'rd', merge: 'raw', channel: 'r' },
  manifest_edits: { api: 'ra', scheduler: 'rd', merge: 'rw' },
  trigger_catalogues: { api: 'raw', scheduler: 'rawd', merge: 'raw', app: 'r' },
  project_triggers: { api: 'rawd', scheduler: 'rawd' },
  trigger_deliveries: { api: 'raw', scheduler: 'rwd' },
  trigger_delivery_keys: { api: 'rawd', scheduler: 'rd' },
  trigger_fires: {
    api: 'raw',
    scheduler: 'rawd',
    merge: 'r(fire_id,project_id,status,created_at,retry_at)w(retry_at)',
  },
  trigger_sessions: { api: 'ra', scheduler: 'ra' },
  monitor_hosts: { api: 'r', scheduler: 'rawd' },
  project_monitors: { api: 'r', scheduler: 'raw' },
  oauth_keys: { api: 'ra', merge: 'r' },
  oauth_clients: { api: 'raw', scheduler: 'rd' },
  oauth_artefacts: { api: 'rawd', scheduler: 'rd' },
  warm_sandboxes: { api: 'r', merge: 'r(warm_id,sealed_data_key)', sandbox: 'rawd' },
  project_connectors: { api: 'rawd', scheduler: 'rawd', executor: 'rw', channel: 'r' },
  connector_actions: { api: 'rw', executor: 'rawd' },
  connector_connections: {
    api: 'raw',
    executor: 'rw',
    scheduler: 'r(connection_id,project_id,slug,user_id,status,is_default)',
    channel: 'r(connection_id,project_id,slug,user_id,status,is_default)',
  },
  connector_authorizations: { api: 'raw', executor: 'rw' },
  connector_oauth_clients: { api: 'r', executor: 'ra' },
  connector_computers: { api: 'r', executor: 'rawd' },
  connector_calls: { api: 'raw', executor: 'rwd', sandbox: 'r' },
  connector_approvals: { api: 'raw', executor: 'rw', channel: 'r(call_id,status)' },
  trigger_bindings: { api: 'rad', scheduler: 'r' },
  attempt_counts: { api: 'rawd', gateway: 'rawd' },
  apps: { api: 'raw', app: 'rawd', proxy: 'r' },
  app_viewers: { api: 'rad', proxy: 'r' },
  app_channels: { api: 'raw', app: 'raw', proxy: 'r' },
  app_releases: { api: 'raw', app: 'rawd', proxy: 'r' },
  app_release_files: { app: 'ra', proxy: 'r' },
  app_rollouts: { api: 'ra', app: 'raw' },
  app_switches: { api: 'r', app: 'ra', proxy: 'r' },
  app_log_lines: { api: 'r', app: 'rad' },
  app_events: { api: 'ra', app: 'radl' },
  app_exchanges: { api: 'a', app: 'rdl', proxy: 'rw(used_at)' },
  app_visits: { api: 'a', app: 'rdl', proxy: 'rad' },
  app_unnamed_objects: { app: 'rawd' },
  app_instances: { api: 'r', app: 'raw', proxy: 'raw(last_request_at)' },
  app_months: { api: 'r', app: 'raw', proxy: 'raw' },
  app_minutes: { api: 'r', app: 'rd', proxy: 'raw' },
  app_platform: { api: 'r', app: 'raw', proxy: 'r' },
}

/** Verbs in which PostgreSQL grants. */
export type Privilege = 'select' | 'insert' | 'update' | 'delete'

export interface Grant {
  readonly privilege: Privilege
  /** Undefined for the whole table; `open` for all columns but the sealed ones, `key` for those of the primary key. */
  readonly columns?: readonly string[] | 'open' | 'key'
}

const letters: Readonly<Record<string, Grant>> = {
  r: { privilege: 'select' },
  o: { privilege: 'select', columns: 'open' },
  a: { privilege: 'insert' },
  w: { privilege: 'update' },
  // Who may update any column may lock the row; the key of a row that others refer to cannot change.
  l: { privilege: 'update', columns: 'key' },
  d: { privilege: 'delete' },
}

export function grantsOf(verbs: Verbs): Grant[] {
  return [...verbs.matchAll(/(\w)(?:\((.*?)\))?/g)].map(([, letter = '', columns]) => {
    const grant = letters[letter]
    if (grant === undefined) throw new Error(`There is no verb ${letter}`)
    return columns === undefined ? grant : { ...grant, columns: columns.split(',') }
  })
}
