import type { ConnectorAction, JsonObject } from '@svc/connector'
import type { CallOptions, UpstreamOutcome } from '../../shapes.ts'

export interface AggregatorRun extends CallOptions {
  readonly action: Pick<ConnectorAction, 'action' | 'binding'>
  readonly args: JsonObject
  /** Of an active account, as `find` gave it. */
  readonly ref: string
}

export interface AggregatorAccount {
  readonly status: 'pending' | 'active' | 'expired'
  /** The name to keep from now on. */
  readonly ref: string
}

/** A hosted service that holds accounts of many others and calls them. All but `run` throw `UpstreamRefusal`. */
export interface Aggregator {
  readonly listActions: (app: string, signal: AbortSignal) => Promise<readonly ConnectorAction[]>
  /** The page on which the person connects an account, and the name under which it is found. */
  readonly begin: (
    asked: { readonly app: string; readonly user: string; readonly callback: string },
    signal: AbortSignal,
  ) => Promise<{ readonly ref: string; readonly url: string }>
  readonly find: (ref: string, signal: AbortSignal) => Promise<AggregatorAccount>
  /** Takes the account away; one that is gone already is no error. */
  readonly forget: (ref: string, signal: AbortSignal) => Promise<void>
  readonly run: (run: AggregatorRun) => Promise<UpstreamOutcome>
}
