import { fetch, type Agent } from 'undici'
import { guardedAgent } from './guarded-agent.ts'
import { hostOf, type Lookup, lookupAll, type OutboundRules, RefusedTarget, requireHttp } from './target.ts'

interface WireAsked {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | null
  /** PEM. `ca` takes the place of the authorities that the machine trusts. */
  readonly client_certificate?: {
    readonly certificate: string
    readonly private_key: string
    readonly passphrase?: string
    readonly ca?: string
  }
}

/** The whole call has a limit of its own, which the caller's signal keeps: until an answer begins only that counts. */
const maxMs = 300_000
const defaultTimes = { connect_ms: 10_000, idle_ms: 30_000 }

/**
 * Requests to addresses that users name, whose answers stream: each connection goes to an address that was checked when
 * it was opened, no redirect is followed, bodies arrive decompressed. An answer that says nothing for `idle_ms` ends in an
 * error; one to a request that accepts `text/event-stream` may be silent for as long as the signal lets it. A request with
 * a client certificate has a connection of its own, so that no other request is made in its name.
 *
 * Rejects with what the connection met, in `cause`: `RefusedTarget` where the address may not be asked.
 */
export function guardedWire(
  rules: OutboundRules,
  { lookup = lookupAll, ...given }: { lookup?: Lookup; connect_ms?: number; idle_ms?: number } = {},
) {
  const { connect_ms, idle_ms } = { ...defaultTimes, ...given }
  const agent = (body_ms: number, tls?: WireAsked['client_certificate']) =>
    guardedAgent(rules, { connect_ms, headers_ms: maxMs, body_ms, ...(tls && { tls }) }, lookup)
  const [brief, streaming] = [agent(idle_ms), agent(maxMs)]

  async function send(
    { url, method, headers, body, client_certificate }: WireAsked,
    signal: AbortSignal,
  ): Promise<Response> {
    requireHttp(url)
    const own = client_certificate && agent(idle_ms, client_certificate)
    const dispatcher = own ?? (acceptsStream(headers) ? streaming : brief)
    try {
      const init = { method, headers, body, signal, dispatcher, redirect: 'manual' } as const
      const { status, statusText, headers: said, body: stream } = await fetch(url, init)
      // The runtime's own Response, which the type of the package differs from in name alone.
      return new Response(stream as ReadableStream | null, { status, statusText, headers: [...said] })
    } catch (error) {
      // fetch keeps away from ports of other protocols, such as those of chat and mail.
      if (Object(Object(error).cause).message !== 'bad port') throw error
      throw new RefusedTarget(`port ${url.port} of ${hostOf(url)} is one of another protocol`)
    } finally {
      // Waits for the end of the answer.
      if (own) void own.close().catch(() => undefined)
    }
  }
  return Object.assign(send, {
    close: async () => void (await Promise.all([brief, streaming].map((each: Agent) => each.close()))),
  })
}

function acceptsStream(headers: Readonly<Record<string, string>>): boolean {
  return Object.entries(headers).some(
    ([name, value]) => name.toLowerCase() === 'accept' && value.includes('text/event-stream'),
  )
}
