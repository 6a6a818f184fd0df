import type { BaseContext, JobContext } from '@svc/context'
import type { SandboxContext } from '../../context.ts'
import type { WarmSandboxRow } from '@svc/db'
import type { RuntimeName } from '@svc/facts'

/** The sandboxes that wait for a session: how many, whose, and of which make. */
export interface WarmPool {
  /** Sandboxes that wait at a time; 0 for none. */
  readonly size: number
  /** The pool of one deployment in one place: sandboxes of other pools are left alone. */
  readonly pool: string
  /** True when workers of other machines keep it too. */
  readonly shared?: boolean | undefined
  /** The make of the sandboxes: one of another make is never claimed. */
  readonly recipe: string
  /** The agent runtime that each has started already; a session with another one starts its own. */
  readonly runtime?: RuntimeName | undefined
  /** Time that one may take to be made: a worker that began it and did not finish is dead by then. */
  readonly warming_ms: number
}

export type WarmContext = SandboxContext & { readonly warm_pool: WarmPool }

export const warmLimits = {
  /** One that waited this long is replaced. */
  ageMs: 30 * 60_000,
  /** Sandboxes of another version stay this long for the workers of that version. */
  otherVersionMs: 60_000,
  /** A daemon that was started and does not answer by now will not. */
  wakingMs: 60_000,
  claimMs: 5_000,
} as const

export const warmKeyPlace = (warm_id: string): readonly string[] => ['warm-pool-key', warm_id]

/** A key for one sandbox that has no project yet, at rest as sealed as the projects' own. */
export function sealKey({ vault }: Pick<BaseContext, 'vault'>, warm_id: string, key: string) {
  const place = warmKeyPlace(warm_id)
  const { data_key, sealed } = vault.createDataKey(place)
  return { sealed_data_key: sealed, sealed_key: vault.seal(data_key, place, key) }
}

/** Something else of the same sandbox, under its own key. */
export function sealForWarm(
  { vault }: Pick<BaseContext, 'vault'>,
  { warm_id, sealed_data_key }: WarmSandboxRow,
  name: string,
  text: string,
): string {
  const place = warmKeyPlace(warm_id)
  return vault.seal(vault.openDataKey(sealed_data_key, place), [...place, name], text)
}

export function openForWarm(
  { vault }: Pick<BaseContext, 'vault'>,
  { warm_id, sealed_data_key }: WarmSandboxRow,
  name: string,
  sealed: string,
): string {
  const place = warmKeyPlace(warm_id)
  return vault.open(vault.openDataKey(sealed_data_key, place), [...place, name], sealed)
}

export function openKey(
  { vault }: Pick<JobContext, 'vault'>,
  { warm_id, sealed_data_key, sealed_key }: WarmSandboxRow,
): string {
  const place = warmKeyPlace(warm_id)
  return vault.open(vault.openDataKey(sealed_data_key, place), place, sealed_key)
}
