import { isIP, type LookupFunction } from 'node:net'
import { answerWith } from '@svc/access'
import { Agent, buildConnector } from 'undici'
import { type Lookup, lookupAll, type OutboundRules, requireAllowed } from './target.ts'

interface AgentOptions {
  readonly connect_ms: number
  readonly headers_ms: number
  readonly body_ms: number
  /** PEM: what these connections prove themselves with, and the authorities that they trust instead of the machine's. */
  readonly tls?: {
    readonly certificate: string
    readonly private_key: string
    readonly passphrase?: string
    readonly ca?: string
  }
}

/**
 * Connections that are kept for the next request. Each one that is opened goes to addresses that were checked at that
 * moment; without `rules` it may go anywhere. Proxy variables are not read.
 */
export function guardedAgent(
  rules: OutboundRules | null,
  { connect_ms, headers_ms, body_ms, tls }: AgentOptions,
  lookup: Lookup = lookupAll,
): Agent {
  const options = {
    timeout: connect_ms,
    ...(tls && {
      cert: tls.certificate,
      key: tls.private_key,
      ...(tls.passphrase !== undefined && { passphrase: tls.passphrase }),
      ...(tls.ca !== undefined && { ca: tls.ca }),
    }),
  }
  const connect = rules === null ? options : guardedConnector(rules, options, lookup)
  return new Agent({ connect, headersTimeout: headers_ms, bodyTimeout: body_ms })
}

function guardedConnector(
  rules: OutboundRules,
  options: buildConnector.BuildOptions,
  lookup: Lookup,
): buildConnector.connector {
  const connectorFor = (secure: boolean) =>
    buildConnector({ ...options, lookup: checkedLookup(rules, secure, lookup) })
  const connectors = { secure: connectorFor(true), plain: connectorFor(false) }
  return (options, callback) => {
    const secure = options.protocol === 'https:'
    const host = options.hostname.replace(/^\[|\]$/g, '')
    try {
      // An address is not looked up by the connection.
      if (isIP(host)) requireAllowed(host, { addresses: [host], secure }, rules)
    } catch (error) {
      return callback(error instanceof Error ? error : new Error(String(error)), null)
    }
    return connectors[secure ? 'secure' : 'plain'](options, callback)
  }
}

function checkedLookup(rules: OutboundRules, secure: boolean, lookup: Lookup): LookupFunction {
  return (host, options, callback) => {
    const answer = async () => {
      const addresses = await lookup(host)
      requireAllowed(host, { addresses, secure }, rules)
      return addresses
    }
    answer().then(
      (addresses) => answerWith(addresses, options.all === true, callback),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), '', 4),
    )
  }
}
