import { connectFront, type Front, frontConnector } from '@svc/sandbox/front'
import { Pool } from 'undici'
import type { Instance } from './places/place.ts'

/** Instances whose connections are kept; one that was asked before these makes new ones. */
const maxPools = 500

export interface Way {
  readonly pool: Pool
  /** For a connection that is the visitor's alone. */
  readonly front: Front
}

export interface Pools {
  of(instance: Instance): Way
  destroy(): Promise<void>
}

/** The connections to instances, for each its own: what is left of an old version is never used for a new one. */
export function createPools(): Pools {
  const ways = new Map<string, Way>()
  return {
    of(instance) {
      const key = `${instance.instance_id} ${instance.url}`
      const way = ways.get(key) ?? wayTo(instance)
      ways.delete(key)
      ways.set(key, way)
      const [oldest] = ways
      if (ways.size > maxPools && oldest !== undefined) {
        ways.delete(oldest[0])
        void close(oldest[1])
      }
      return way
    },
    async destroy() {
      await Promise.all(
        [...ways.values()].map(async ({ pool, front }) => {
          await pool.destroy()
          await front.close()
        }),
      )
    },
  }
}

async function close({ pool, front }: Way): Promise<void> {
  await pool.close()
  await front.close()
}

function wayTo({ url, ca }: Instance): Way {
  const front = connectFront({ url, ...(ca !== undefined && { ca }) })
  // Connections that nothing uses hold up an instance that is to end.
  return { front, pool: new Pool('http://app', { connect: connectorOf(front), keepAliveTimeout: 2000 }) }
}

/** The types of undici name the options that it gives; this one needs none of them. */
function connectorOf(front: Front): NonNullable<Pool.Options['connect']> {
  return frontConnector(front)
}
