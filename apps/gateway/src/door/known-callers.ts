import { storedCredential } from '@svc/context'
import type { KnownCaller } from '@svc/spend'
import { LRUCache } from 'lru-cache'
import { type GatewayCaller, gatewayCaller, type GatewayContext } from './authenticate.ts'

/** The caller of a key as an earlier call found it: the admission of this call says whether it is so still. */
export class PresumedCaller {
  readonly caller: GatewayCaller
  readonly #token_hash: Buffer
  #confirmed = false

  constructor(caller: GatewayCaller, token_hash: Buffer) {
    this.caller = caller
    this.#token_hash = token_hash
  }

  known(now: Date): KnownCaller {
    return { token_hash: this.#token_hash, facts: this.caller.facts, now }
  }

  confirm(): void {
    this.#confirmed = true
  }

  /** Until then a refusal of the call may be one of what is not so any more. */
  get isConfirmed(): boolean {
    return this.#confirmed
  }
}

/** The caller is not as it was presumed: nothing was admitted. */
export class CallerChanged extends Error {
  override readonly name = 'CallerChanged'
}

export interface KnownCallers {
  /** Null for a key that was not seen yet, or not since its caller changed. */
  presume(token: string): PresumedCaller | null
  /** The caller as it is at this moment. */
  find(base: GatewayContext, token: string): Promise<GatewayCaller>
}

/** Callers of this process, by the hashes of their keys. None is believed: each call is admitted with a check of its key. */
export function knownCallers(): KnownCallers {
  const kept = new LRUCache<string, GatewayCaller>({ max: 10_000 })
  return {
    presume(token) {
      const hash = storedCredential(token)?.hash
      const caller = hash && kept.get(hash.toString('base64'))
      return caller ? new PresumedCaller(caller, hash) : null
    },
    async find(base, token) {
      const hash = storedCredential(token)?.hash.toString('base64') ?? ''
      kept.delete(hash)
      const caller = await gatewayCaller(base, token)
      // A breaker that waits takes its probe before the admission: such a caller is looked up each time.
      if (caller.troubles.length === 0) kept.set(hash, caller)
      return caller
    },
  }
}
