import type { SandboxRecordStatus } from '@svc/session'
import type { Generated, Selectable, Updateable } from 'kysely'

export type OwedSandboxWork = 'stop' | 'destroy'

export interface SandboxTable {
  session_id: string
  provider: string | null
  /** The host of the worker that made it; null for one that was made before this was kept. */
  machine: Generated<string | null>
  external_id: string | null
  status: SandboxRecordStatus
  /** Address of the daemon: https://…, http://… or unix://… */
  endpoint: string | null
  /** The whole endpoint, where there is more to it than an address. */
  sealed_endpoint: Generated<string | null>
  service_key_hash: Buffer | null
  sealed_service_key: string | null
  /** Address at which it tells its provider that it is in use; null when the provider does not ask for it. */
  sealed_edge: Generated<string | null>
  runtime_session_id: string | null
  /** The next provisioning replaces the sandbox instead of resuming it. */
  renew: Generated<boolean>
  /** Sandboxes that this session had and that are still to be removed. */
  retired: Generated<string[]>
  /** Work that its worker still has to do; null for none. A trigger of the session's row sets it. */
  owed: Generated<OwedSandboxWork | null>
  /** The last look at it, where its provider is asked of one at a time. */
  checked_at: Generated<Date | null>
  /** Since when its daemon owes a checkpoint that it could not save; null for none. */
  unsaved_since: Generated<Date | null>
  /** The checkpoint that has everything that the stopped sandbox has; null when none is known to. */
  saved_checkpoint: Generated<number | null>
  error: string | null
  lease_expires_at: Date | null
  /** Since when its daemon takes no prompts; null while it does. */
  unreachable_since: Generated<Date | null>
  last_active_at: Date
  /** Number of secret writes that it has not received yet. */
  secrets_owed: Generated<number>
  /** Another with every change of a column that is shown. */
  shown_revision: Generated<string>
  created_at: Date
  updated_at: Date
}

export type SandboxRow = Selectable<SandboxTable>
export type SandboxPatch = Updateable<SandboxTable>
