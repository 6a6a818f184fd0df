import type { Database } from './database.ts'

/** The services that have a role of their own, named as `svc_<service>`. */
export const services = [
  'api',
  'scheduler',
  'merge',
  'sandbox',
  'executor',
  'gateway',
  'app',
  'proxy',
  'channel',
] as const
export type Service = (typeof services)[number]

/** The role that owns the schema, that of each service, and the one that reads everything. */
export const roles = [
  'svc_owner',
  ...services.map((service) => `svc_${service}` as const),
  'svc_backup',
] as const
export type Role = (typeof roles)[number]

/**
 * The verbs of a service on a table, by PostgreSQL's letters: r reads, a inserts, w updates, d deletes. Beside them, o reads
 * every column but the sealed ones, l locks rows, and columns in brackets are the only ones of the verb before them.
 */
export type Verbs = string

/** Tables that libraries write: Kysely's record of what ran, the counters of requests. */
type LibraryTable = 'kysely_migration' | 'kysely_migration_lock' | 'rate_limits'

/** The rights of each service on each table; PostgreSQL refuses it the rest. A new table has its row, if only an empty one. */
export const grants: Readonly<
  Record<keyof Database | LibraryTable, Readonly<Partial<Record<Service, Verbs>>>>
> = {
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
  machines: { api: 'raw', scheduler: 'r', sandbox: 'raw' },
  backups: { api: 'raw', scheduler: 'rawd' },
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
    proxy: 'r(account_id,suspended_at)',
  },
  users: { api: 'raw' },
  account_members: { api: 'rawd', gateway: 'r', proxy: 'r(account_id,user_id,role)' },
  plans: { api: 'rawd', scheduler: 'r', sandbox: 'r', gateway: 'r', executor: 'r' },
  gateway_providers: { api: 'rawd', scheduler: 'r', sandbox: 'r', gateway: 'rawd' },
  gateway_provider_keys: { api: 'rawd', gateway: 'rawd' },
  gateway_provider_lists: { api: 'r', gateway: 'raw' },
  gateway_breakers: { api: 'r', scheduler: 'r', gateway: 'rawd' },
  gateway_settings: { api: 'raw', scheduler: 'r', sandbox: 'r', gateway: 'raw' },
  gateway_prices: { api: 'rawd', scheduler: 'r', sandbox: 'r', gateway: 'r' },
  gateway_price_cards: { api: 'ra', scheduler: 'r', gateway: 'ra' },
  gateway_calls: { api: 'r', scheduler: 'rwd', gateway: 'raw' },
  gateway_call_bodies: { api: 'r', scheduler: 'rd', gateway: 'a' },
  gateway_spend_days: { api: 'r', scheduler: 'raw' },
  gateway_key_limits: { api: 'rawd', gateway: 'rl' },
  gateway_budgets: { api: 'rawd', scheduler: 'r', gateway: 'r' },
  gateway_budget_windows: { api: 'rawd', scheduler: 'rwd', gateway: 'raw' },
  gateway_holds: { api: 'r', scheduler: 'rd', gateway: 'rad' },
  gateway_budget_alerts: { api: 'r', scheduler: 'raw', gateway: 'raw' },
  credit_accounts: { api: 'raw', scheduler: 'rw', gateway: 'rw' },
  credit_ledger: { api: 'ra', scheduler: 'raw', gateway: 'raw' },
  billing_events: { api: 'ra' },
  billing_customers: { api: 'ra' },
  billing_subscriptions: { api: 'raw' },
  account_roles: { api: 'rawd', proxy: 'r(role_id,capabilities)' },
  account_domains: { api: 'rawd' },
  account_sso: { api: 'rawd', merge: 'r(account_id,sealed_data_key)' },
  account_invitations: { api: 'raw' },
  service_accounts: { api: 'raw' },
  scim_users: { api: 'rawd' },
  scim_groups: { api: 'rawd' },
  scim_group_members: { api: 'rad', proxy: 'r' },
  scim_group_projects: { api: 'rad' },
  project_features: { api: 'raw', scheduler: 'r', sandbox: 'r', gateway: 'r', app: 'r', proxy: 'r' },
  account_features: { api: 'rawd', gateway: 'r', app: 'r', proxy: 'r' },
  platform_features: { api: 'raw', scheduler: 'r', sandbox: 'r', gateway: 'r', app: 'r', proxy: 'r' },
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
  },
  repositories: { api: 'r', scheduler: 'r', merge: 'raw', sandbox: 'r', executor: 'r', app: 'r' },
  project_members: { api: 'rawd', proxy: 'r(project_id,user_id,role,role_id)' },
  provision_keys: { api: 'rawd' },
  personal_secrets: { api: 'rawd', sandbox: 'r' },
  project_secrets: { api: 'rawd', scheduler: 'r', sandbox: 'r' },
  secret_accesses: { api: 'r', scheduler: 'rad', sandbox: 'ra' },
  project_secret_writes: { api: 'rad' },
  project_sessions: {
    api: 'raw',
    scheduler: 'rawd',
    merge: 'rw(last_event_seq)',
    sandbox: 'rw',
    gateway: 'r',
    executor: 'rw',
  },
  session_idempotency_keys: { api: 'ra' },
  session_sandboxes: {
    api: 'raw',
    scheduler: 'raw',
    merge: 'r',
    sandbox: 'rw',
    gateway: 'o',
    executor: 'rw',
  },
  session_prompts: {
    api: 'raw',
    scheduler: 'rawd',
    merge: 'r(session_id,state,created_at,updated_at,position)',
    sandbox: 'rw',
    gateway: 'r(prompt_id,session_id,state,traceparent,created_at,updated_at,position)',
    executor: 'ra',
  },
  session_events: { api: 'ra', scheduler: 'rad', merge: 'r(session_id,seq)', sandbox: 'ra', executor: 'ra' },
  session_asks: { api: 'raw', scheduler: 'raw', sandbox: 'raw', executor: 'raw' },
  harness_installs: { api: 'raw', scheduler: 'raw', sandbox: 'raw' },
  harness_licences: { api: 'raw', scheduler: 'r', sandbox: 'r' },
  session_runtimes: { api: 'raw', scheduler: 'ra', merge: 'r', sandbox: 'raw', gateway: 'r', executor: 'r' },
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
  event_partitions: { api: 'r', scheduler: 'rw' },
  archive_objects: { api: 'ra', scheduler: 'rawd', merge: 'ra' },
  event_archives: { api: 'r', scheduler: 'rad', merge: 'r(session_id,last_seq)', sandbox: 'r' },
  event_archive_drafts: { scheduler: 'rad' },
  session_claims: { api: 'r', scheduler: 'r', merge: 'r', sandbox: 'raw' },
  session_creates: {
    api: 'rad',
    scheduler: 'rd',
    merge: 'r(position)',
    sandbox: 'r',
    executor: 'r(account_id)',
  },
  session_branches: { api: 'r(session_id)a', scheduler: 'raw' },
  session_pushes: { api: 'ra', merge: 'r' },
  session_previews: { api: 'rawd', scheduler: 'rdl' },
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
  },
  cr_viewed_files: { api: 'rawd' },
  inbox_marks: { api: 'rawd' },
  review_items: { api: 'raw' },
  change_request_authors: { api: 'ra', merge: 'r' },
  merge_attempts: { api: 'ra', scheduler: 'rd', merge: 'rw' },
  merge_intents: { api: 'r', scheduler: 'rd', merge: 'raw' },
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
  project_connectors: { api: 'rawd', scheduler: 'rawd', executor: 'rw' },
  connector_actions: { api: 'rw', executor: 'rawd' },
  connector_connections: {
    api: 'raw',
    executor: 'rw',
    scheduler: 'r(connection_id,project_id,slug,user_id,status,is_default)',
  },
  connector_authorizations: { api: 'raw', executor: 'rw' },
  connector_oauth_clients: { api: 'r', executor: 'ra' },
  connector_computers: { api: 'r', executor: 'rawd' },
  connector_calls: { api: 'raw', executor: 'rwd', sandbox: 'r' },
  connector_approvals: { api: 'raw', executor: 'rw' },
  trigger_bindings: { api: 'rad', scheduler: 'r' },
  attempt_counts: { api: 'rawd', gateway: 'rawd' },
  apps: { api: 'raw', app: 'raw', proxy: 'r' },
  app_viewers: { api: 'rad', proxy: 'r' },
  app_channels: { api: 'raw', app: 'raw', proxy: 'r' },
  app_releases: { api: 'raw', app: 'raw', proxy: 'r' },
  app_release_files: { app: 'ra', proxy: 'r' },
  app_rollouts: { api: 'ra', app: 'raw' },
  app_switches: { api: 'r', app: 'ra' },
  app_log_lines: { api: 'r', app: 'ra' },
  app_events: { api: 'ra', app: 'radl' },
  app_exchanges: { api: 'a', app: 'rdl', proxy: 'rw(used_at)' },
  app_visits: { api: 'a', app: 'rdl', proxy: 'rad' },
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
