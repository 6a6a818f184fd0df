import { Pool } from 'undici'
import { whereOf } from './forward/where.ts'
import type { Instance } from './places/place.ts'

/** Instances whose connections are kept; one that was asked before these makes new ones. */
const maxPools = 500

export interface Pools {
  of(instance: Instance): Pool
  destroy(): Promise<void>
}

/** The connections to instances, for each its own: what is left of an old version is never used for a new one. */
export function createPools(): Pools {
  const pools = new Map<string, Pool>()
  return {
    of(instance) {
      const key = `${instance.instance_id} ${instance.url}`
      const pool = pools.get(key) ?? poolOf(instance)
      pools.delete(key)
      pools.set(key, pool)
      const [oldest] = pools
      if (pools.size > maxPools && oldest !== undefined) {
        pools.delete(oldest[0])
        void oldest[1].close()
      }
      return pool
    },
    async destroy() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()))
    },
  }
}

function poolOf({ url }: Instance): Pool {
  const where = whereOf(url)
  const timeout = 5000
  return 'socketPath' in where
    ? new Pool('http://app', { connect: { socketPath: where.socketPath, timeout } })
    : new Pool(url, { connect: { timeout } })
}
