import { guardedAgent, type OutboundRules } from '@svc/outbound'
import { LRUCache } from 'lru-cache'
import type { Dispatcher } from 'undici'
import type { Provider } from '../config/provider.ts'

/** Connections to each provider, kept for the next call. Those of accounts and projects go to checked addresses alone. */
export function connectionPools(rules: OutboundRules) {
  const pools = new LRUCache<string, Dispatcher>({
    max: 500,
    dispose: (pool) => void pool.close().catch(() => undefined),
  })
  return {
    of({ provider_id, scope, deadlines: { connect_ms } }: Provider): Dispatcher {
      const key = `${provider_id} ${connect_ms}`
      const known = pools.get(key)
      if (known) return known
      // The deadlines of a call are its own, so that each is told apart.
      const times = { connect_ms, headers_ms: 0, body_ms: 0 }
      const pool = guardedAgent(scope === 'operator' ? null : rules, times)
      pools.set(key, pool)
      return pool
    },
    close: () => pools.clear(),
  }
}

export type ConnectionPools = ReturnType<typeof connectionPools>
