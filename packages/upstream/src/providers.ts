import { randomBytes } from 'node:crypto'
import type { Connector } from '@svc/manifest'
import { channelProvider } from './providers/channel.ts'
import { collectionProvider } from './providers/collection/collection.ts'
import { graphqlProvider } from './providers/graphql/graphql.ts'
import { httpProvider } from './providers/http.ts'
import { openapiProvider } from './providers/openapi/openapi.ts'
import type { Provider, Wire } from './shapes.ts'
import type { Upstream } from './wire/exchange.ts'

export type Providers = Readonly<Partial<Record<Connector['provider'], Provider>>>

export interface ProvidersOptions {
  /** The one way to addresses: `guardedWire` of `outbound`. */
  readonly wire: Wire
  /** Of signatures; the clock of the machine unless it is given. */
  readonly now?: () => Date
  readonly nonce?: () => string
}

/** A provider for each kind of service, by the name that a manifest has for it. */
export function createProviders({ wire, now, nonce }: ProvidersOptions): Providers {
  const upstream: Upstream = {
    wire,
    now: now ?? (() => new Date()),
    nonce: nonce ?? (() => randomBytes(16).toString('hex')),
  }
  return {
    http: httpProvider(upstream),
    graphql: graphqlProvider(upstream),
    collection: collectionProvider(upstream),
    openapi: openapiProvider(upstream),
    channel: channelProvider,
  }
}
