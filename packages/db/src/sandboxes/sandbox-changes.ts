import type { SandboxEvent } from '@svc/session'
import type { SandboxPatch } from './sandboxes.table.ts'

/** Input of each event. The new status, and every other column, follow from the event. */
export interface SandboxChanges {
  readonly activate: {
    readonly endpoint: string
    readonly sealed_endpoint: string | null
    readonly sealed_edge: string | null
  }
  readonly stop: { readonly error: string | null }
  readonly error: { readonly error: string | null }
  readonly resume: Readonly<Record<never, never>>
  /** True when the old sandbox is removed already; else it is kept, to be put aside. */
  readonly renew: { readonly is_removed: boolean }
  readonly archive: Readonly<Record<never, never>>
}

type Columns = Omit<SandboxPatch, 'status' | 'updated_at'>

const ended = ({ error }: { readonly error: string | null }): Columns => ({
  error,
  lease_expires_at: null,
  unreachable_since: null,
  unsaved_since: null,
})

const columns: {
  readonly [Event in SandboxEvent]: (change: SandboxChanges[Event], now: Date) => Columns
} = {
  activate: ({ endpoint, sealed_endpoint, sealed_edge }, last_active_at) => ({
    endpoint,
    sealed_endpoint,
    sealed_edge,
    error: null,
    unreachable_since: null,
    saved_checkpoint: null,
    last_active_at,
  }),
  stop: ended,
  error: ended,
  resume: () => ({ error: null, saved_checkpoint: null }),
  renew: ({ is_removed }) => ({
    endpoint: null,
    sealed_endpoint: null,
    service_key_hash: null,
    runtime_session_id: null,
    lease_expires_at: null,
    unreachable_since: null,
    unsaved_since: null,
    saved_checkpoint: null,
    // One that is being made has no name yet: its sealed key says that there may be one to remove.
    ...(is_removed
      ? { external_id: null, sealed_service_key: null, renew: false }
      : { error: null, renew: true }),
  }),
  archive: () => ({ service_key_hash: null, sealed_service_key: null, lease_expires_at: null }),
}

export function sandboxColumns<Event extends SandboxEvent>(
  event: Event,
  change: SandboxChanges[Event],
  now: Date,
): Columns {
  return columns[event](change, now)
}
