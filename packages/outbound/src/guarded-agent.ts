import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { answerWith } from './pinned-lookup.ts'
import { type Lookup, lookupAll, type OutboundRules, requireAllowed } from './target.ts'

interface AgentOptions {
  readonly connect_ms: number
  readonly headers_ms: number
  readonly body_ms: number
}

/**
 * Connections that are kept for the next request. Each one that is opened goes to addresses that were checked at that
 * moment; without `rules` it may go anywhere. Proxy variables are not read.
 */
export function guardedAgent(
  rules: OutboundRules | null,
  { connect_ms, headers_ms, body_ms }: AgentOptions,
  lookup: Lookup = lookupAll,
): Agent {
  const connect = rules === null ? { timeout: connect_ms } : guardedConnector(rules, connect_ms, lookup)
  return new Agent({ connect, headersTimeout: headers_ms, bodyTimeout: body_ms })
}

function guardedConnector(rules: OutboundRules, timeout: number, lookup: Lookup): buildConnector.connector {
  const connectorFor = (secure: boolean) =>
    buildConnector({ timeout, lookup: checkedLookup(rules, secure, lookup) })
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
