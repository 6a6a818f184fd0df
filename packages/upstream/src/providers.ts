import { randomBytes } from 'node:crypto'
import type { Connector } from '@svc/manifest'
import { type ChannelCalls, channelProvider } from './providers/channel.ts'
import { collectionProvider } from './providers/collection/collection.ts'
import { graphqlProvider } from './providers/graphql/graphql.ts'
import { aggregatorProvider, type Aggregators, createAggregators } from './providers/aggregators/provider.ts'
import type { AggregatorsConfig } from './providers/aggregators/config.ts'
import type { ComputerCalls } from './providers/computer/hub.ts'
import { computerProvider } from './providers/computer/provider.ts'
import { httpProvider } from './providers/http.ts'
import { mcpProvider } from './providers/mcp/provider.ts'
import { openapiProvider } from './providers/openapi/openapi.ts'
import type { Provider, Target, Wire, WireRequest } from './shapes.ts'
import { signed, type Upstream } from './wire/exchange.ts'
import { redactor } from './wire/redact.ts'

export interface Providers {
  /** A provider for each kind of service, by the name that a manifest has for it. */
  readonly of: Readonly<Partial<Record<Connector['provider'], Provider>>>
  /** The aggregators behind two of them. */
  readonly aggregators: Aggregators
  /** Ends the sessions that are kept with services. */
  readonly close: () => Promise<void>
}

export interface ProvidersOptions {
  /** The one way to addresses: `guardedWire` of `outbound`. */
  readonly wire: Wire
  /** Of signatures; the clock of the machine unless it is given. */
  readonly now?: () => Date
  readonly nonce?: () => string
  /** The aggregators that the operator set up; none when absent. */
  readonly aggregators?: AggregatorsConfig | undefined
  /** The computers that people pair; none when absent. */
  readonly computers?: ComputerCalls | undefined
  /** The outbox of channels; none is connected when absent. */
  readonly channels?: ChannelCalls | undefined
}

/** Opens the ways to services. */
export function createProviders({
  wire,
  now,
  nonce,
  aggregators = {},
  computers,
  channels,
}: ProvidersOptions): Providers {
  const upstream: Upstream = {
    wire,
    now: now ?? (() => new Date()),
    nonce: nonce ?? (() => randomBytes(16).toString('hex')),
  }
  const sign = (target: Target, request: WireRequest) => signed(upstream, target, request)
  const mcp = mcpProvider({ wire, sign, redact: redactor })
  const opened = createAggregators(aggregators, wire)
  const aggregator = aggregatorProvider(opened)
  return {
    of: {
      mcp,
      http: httpProvider(upstream),
      graphql: graphqlProvider(upstream),
      collection: collectionProvider(upstream),
      openapi: openapiProvider(upstream),
      aggregator_a: aggregator,
      aggregator_b: aggregator,
      channel: channelProvider(channels),
      ...(computers === undefined ? {} : { computer: computerProvider(computers) }),
    },
    aggregators: opened,
    close: () => mcp.close(),
  }
}
