import type { Connector } from '@svc/manifest'
import { type Provider, UpstreamRefusal, type Wire } from '../../shapes.ts'
import type { Aggregator } from './aggregator.ts'
import { composio } from './composio.ts'
import type { AggregatorsConfig } from './config.ts'
import { pipedream } from './pipedream.ts'

type Name = 'aggregator_a' | 'aggregator_b'
export type Aggregators = Readonly<Partial<Record<Name, Aggregator>>>

/** The aggregators that the operator set up. */
export function createAggregators(config: AggregatorsConfig, wire: Wire): Aggregators {
  const make = (one: NonNullable<AggregatorsConfig[Name]>) =>
    one.kind === 'composio' ? composio(one, wire) : pipedream(one, wire)
  const { aggregator_a: a, aggregator_b: b } = config
  return { ...(a && { aggregator_a: make(a) }), ...(b && { aggregator_b: make(b) }) }
}

/** The aggregator of a connector, and the app it names there. Throws `UpstreamRefusal`. */
export function aggregatorOf(
  aggregators: Aggregators,
  connector: Connector,
): { readonly aggregator: Aggregator; readonly app: string } {
  if (connector.provider !== 'aggregator_a' && connector.provider !== 'aggregator_b')
    throw new Error(`${connector.slug} has no aggregator`)
  const aggregator = aggregators[connector.provider]
  if (aggregator === undefined)
    throw new UpstreamRefusal(
      'aggregator_not_configured',
      `This platform has no ${connector.provider}; the operator sets it up in SVC_AGGREGATORS_FILE`,
    )
  if (connector.app === null)
    throw new UpstreamRefusal(
      'connector_unusable',
      `Connector ${connector.slug} names no \`app\`; add it to the manifest`,
    )
  return { aggregator, app: connector.app }
}

/** Actions of an aggregator's app, run with the account that `external_ref` names. */
export function aggregatorProvider(aggregators: Aggregators): Provider {
  return {
    list: async ({ connector }, signal) => {
      const { aggregator, app } = aggregatorOf(aggregators, connector)
      return aggregator.listActions(app, signal)
    },
    call: async ({ connector, external_ref: ref }, action, args, options) => {
      const refused = { ok: false, sent: false, upstream_status: null, bytes_in: 0, bytes_out: 0 } as const
      try {
        const { aggregator } = aggregatorOf(aggregators, connector)
        if (ref !== null) return await aggregator.run({ action, args, ref, ...options })
        return {
          ...refused,
          reason: 'connector_not_connected',
          message: `No account is connected to ${connector.name}; connect one`,
        }
      } catch (error) {
        if (!(error instanceof UpstreamRefusal)) throw error
        return { ...refused, reason: error.reason, message: error.message }
      }
    },
    origin: async () => null,
  }
}
