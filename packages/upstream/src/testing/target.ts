import type { Connector } from '@svc/manifest'
import { guardedWire } from '@svc/outbound'
import { createProviders } from '../providers.ts'
import type { CallOptions, Target } from '../shapes.ts'

/** A connector as the manifest has it, with what a test says of it. */
export function connectorOf<const Given extends { readonly provider: Connector['provider'] }>(given: Given) {
  return {
    slug: 'service',
    name: 'Service',
    authorization_strategy: 'project' as const,
    auth: null,
    headers: {},
    policies: [],
    default_action: 'risk' as const,
    timeout_seconds: 60,
    idempotency_header: null,
    oauth: { client_id: null, scopes: [] },
    inline: true,
    ...given,
  }
}

export function targetOf(connector: Connector, given: Partial<Target> = {}): Target {
  return { connector, credential: null, external_ref: null, readFile: async () => null, ...given }
}

/** Options of a call that count how often it was about to be sent. */
export function optionsOf(given: Partial<CallOptions> = {}) {
  const counted = { begun: 0 }
  const options: CallOptions = {
    signal: AbortSignal.timeout(60_000),
    beforeSend: async () => void counted.begun++,
    idempotency_key: '0190c0de-0000-7000-8000-000000000001',
    ...given,
  }
  return Object.assign(counted, { options })
}

export const loopback = { open: ['127.0.0.0/8', '::1/128'] }

/** Providers over the real client, which may ask this machine. */
export const localProviders = () => createProviders({ wire: guardedWire(loopback) }).of
