import type {
  AccessMode,
  AppConfig,
  AppEventType,
  AppPlatform,
  AppType,
  ChannelKind,
  ConfigIssue,
  DesiredState,
  InstanceState,
  LineSource,
  LineStream,
  ReleaseFailure,
  ReleaseSource,
  ReleaseStatus,
  RolloutKind,
  RolloutStatus,
} from '@svc/app'
import type { Generated, JSONColumnType, Selectable } from 'kysely'

/** An entry of `apps` that the default branch declares, or declared. */
export interface AppTable {
  app_id: string
  account_id: string
  project_id: string
  name: string
  type: AppType
  declared: boolean
  desired: DesiredState
  access_mode: AccessMode
  password_hash: string | null
  /** Ways in that were given before it changed are closed. */
  policy_revision: number
  max_concurrency: number
  preview_secrets: readonly string[]
  /** The cap of a month by the entry of the default branch; null leaves it to the platform. */
  budget_micros: number | null
  /** The last number of a release, of an event and of a line. */
  last_number: number
  last_event_seq: number
  last_line_seq: number
  created_at: Date
  updated_at: Date
}
export type AppRow = Selectable<AppTable>

/** A person or a group whom the app's own list names. */
export interface AppViewerTable {
  app_id: string
  user_id: string | null
  group_id: string | null
}

/** An address: of an app, or of an app as a change request would have it. */
export interface AppChannelTable {
  channel_id: string
  app_id: string
  project_id: string
  kind: ChannelKind
  cr_id: string | null
  /** The first label of its host name. */
  label: string
  current_release_id: string | null
  floor_number: number
  /** The number of switches. */
  seq: number
  closed_at: Date | null
  created_at: Date
}
export type AppChannelRow = Selectable<AppChannelTable>

/** The makings of a release: files by their digests, the archive of a folder, or an image. */
export interface AppArtifact {
  readonly kind: 'files' | 'archive' | 'image'
  readonly digest: string
  readonly bytes: number
  readonly files: number
  /** Of an image, the name to make sandboxes of; it never means another. */
  readonly image?: string
}

export interface AppReleaseTable {
  release_id: string
  app_id: string
  project_id: string
  channel_id: string
  number: number
  source: ReleaseSource
  commit_sha: string
  config: JSONColumnType<AppConfig, string, string>
  /** Changes with everything in the repository that the release is made of. */
  input_hash: string
  status: ReleaseStatus
  artifact: JSONColumnType<AppArtifact, string | null, string> | null
  provider: string
  failure: JSONColumnType<ReleaseFailure, string | null, string> | null
  issues: JSONColumnType<readonly ConfigIssue[], string, string>
  /** Number of a later release that was ready first: this one never took traffic. */
  superseded_by: number | null
  /** Times that work on it began. */
  attempts: number
  /** The sandbox that builds it. */
  build_sandbox: string | null
  created_by: string | null
  idempotency_key: string | null
  created_at: Date
  started_at: Date | null
  finished_at: Date | null
  updated_at: Date
}
export type AppReleaseRow = Selectable<AppReleaseTable>

export interface AppReleaseFileTable {
  release_id: string
  path: string
  sha256: string
  bytes: number
  content_type: string
  br_sha256: string | null
  gzip_sha256: string | null
  hashed: boolean
}
export type AppReleaseFileRow = Selectable<AppReleaseFileTable>

export interface AppRolloutTable {
  rollout_id: string
  app_id: string
  channel_id: string
  kind: RolloutKind
  to_release_id: string
  /** The release that the channel showed when this was asked for. */
  expected_release_id: string | null
  status: RolloutStatus
  asked_by: string | null
  error: string | null
  created_at: Date
  switched_at: Date | null
  finished_at: Date | null
}
export type AppRolloutRow = Selectable<AppRolloutTable>

/** The history of what an address showed. */
export interface AppSwitchTable {
  channel_id: string
  seq: number
  from_release_id: string | null
  to_release_id: string
  kind: RolloutKind
  at: Date
  asked_by: string | null
}

/** A running copy of a release; its id is that of its sandbox. */
export interface AppInstanceTable {
  instance_id: string
  release_id: string
  app_id: string
  account_id: string
  project_id: string
  state: InstanceState
  external_id: string | null
  /** The address at which visitors reach it. */
  endpoint: JSONColumnType<AppFront, string | null, string> | null
  provider: string
  secrets_revision: string | null
  /** Ends of its program that were not asked for. */
  restarts: number
  /** The number of its last line that is in the log of the app. */
  last_line: number
  /** The beginning of what it costs, and up to where that is counted. */
  started_at: Date | null
  metered_to: Date | null
  seen_at: Date | null
  last_request_at: Date | null
  reason: string | null
  exit_report: string | null
  created_at: Date
  ready_at: Date | null
  draining_at: Date | null
  finished_at: Date | null
  updated_at: Date
}
export type AppInstanceRow = Selectable<AppInstanceTable>

export interface AppFront {
  readonly url: string
  /** The authority of its certificate, where that is the provider's own. */
  readonly ca?: string
}

/** Money is in micro-dollars. */
export interface AppMonthTable {
  app_id: string
  month: string
  seconds: number
  cost_micros: number
  /** Answers of its production address and its previews, and their bytes. */
  requests: Generated<number>
  bytes_out: Generated<number>
}

export type AppMonthRow = Selectable<AppMonthTable>

/** The answers of an app in one minute, by all proxies. */
export interface AppMinuteTable {
  app_id: string
  minute: Date
  classes: readonly number[]
  latency: readonly number[]
  wakes: number
  wake_ms: number
  /** Wakes by how long they took; empty where a proxy of an earlier release counted. */
  wake_latency: readonly number[]
  bytes_out: number
}
export type AppMinuteRow = Selectable<AppMinuteTable>

/** One row: what the process that makes apps says of itself. */
export interface AppPlatformTable {
  is_one: boolean
  rules: JSONColumnType<AppPlatform, string, string>
  updated_at: Date
}

export interface AppLogLineTable {
  app_id: string
  seq: number
  release_id: string
  instance_id: string | null
  source: LineSource
  stream: LineStream
  at: Date
  line: string
}
export type AppLogLineRow = Selectable<AppLogLineTable>

export interface AppEventTable {
  app_id: string
  seq: number
  type: AppEventType
  data: JSONColumnType<Readonly<Record<string, unknown>>, string, string>
  at: Date
}
export type AppEventRow = Selectable<AppEventTable>

export interface AppExchangeTable {
  code_hash: Buffer
  channel_id: string
  viewer: string
  return_path: string
  policy_revision: number
  expires_at: Date
  used_at: Date | null
}

export interface AppVisitTable {
  token_hash: Buffer
  channel_id: string
  viewer: string | null
  policy_revision: number
  created_at: Date
  expires_at: Date
}
export type AppVisitRow = Selectable<AppVisitTable>

/** An object of apps that no release names: it was put for one that is made, or the last that named it went. */
export interface AppUnnamedObjectTable {
  sha256: string
  since: Date
}

/** The tables of apps, by their names in the database. */
export interface AppTables {
  apps: AppTable
  app_viewers: AppViewerTable
  app_channels: AppChannelTable
  app_releases: AppReleaseTable
  app_release_files: AppReleaseFileTable
  app_rollouts: AppRolloutTable
  app_switches: AppSwitchTable
  app_log_lines: AppLogLineTable
  app_events: AppEventTable
  app_exchanges: AppExchangeTable
  app_visits: AppVisitTable
  app_instances: AppInstanceTable
  app_months: AppMonthTable
  app_minutes: AppMinuteTable
  app_platform: AppPlatformTable
  app_unnamed_objects: AppUnnamedObjectTable
}
