import type { FrozenHarness, HarnessAuth, InstallState, RuntimeState } from '@svc/harness'
import type { Generated, JSONColumnType, Selectable } from 'kysely'

/** The files of one version of a harness in one store. */
export interface HarnessInstallTable {
  /** Id of a folder, or `image:<digest>`. */
  store: string
  harness: string
  version: string
  /** The machine that it is for: `linux-x64-glibc-node20`. */
  target: string
  state: InstallState
  /** Rises with each begin: a holder of an earlier one writes nothing more. */
  fence: Generated<number>
  holder: string | null
  holder_until: Date | null
  bytes_done: Generated<number>
  bytes: number | null
  digest: string | null
  error: string | null
  attempts: Generated<number>
  next_attempt_at: Date | null
  last_used_at: Date
  created_at: Date
  updated_at: Date
}
export type HarnessInstallRow = Selectable<HarnessInstallTable>

/** A licence that a platform admin accepted, by the hash of its text. */
export interface HarnessLicenceTable {
  licence_id: string
  harness: string
  sha256: string
  text_url: string | null
  accepted_by: string
  accepted_at: Date
  revoked_by: string | null
  revoked_at: Date | null
}
export type HarnessLicenceRow = Selectable<HarnessLicenceTable>

type Json = JSONColumnType<object | null, string | null, string | null>

/** A session's agent: settled when the session was made, and as it spoke of itself last. */
export interface SessionRuntimeTable {
  session_id: string
  /** A harness, or a runtime with a server of its own. */
  harness: string
  version: string | null
  auth: HarnessAuth
  settings: JSONColumnType<FrozenHarness['settings'] | null, string | null, never>
  agent_info: Json
  protocol_version: number | null
  capabilities: Json
  config_options: Json
  commands: Json
  state: RuntimeState
  epoch: Generated<number>
  updated_at: Date
}
export type SessionRuntimeRow = Selectable<SessionRuntimeTable>

export interface HarnessTables {
  harness_installs: HarnessInstallTable
  harness_licences: HarnessLicenceTable
  session_runtimes: SessionRuntimeTable
}
