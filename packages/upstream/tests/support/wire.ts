import { guardedAgent, type OutboundRules } from '@svc/outbound'
import { fetch } from 'undici'
import type { Wire } from '../../src/index.ts'

export interface Sent {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A wire to this machine that notes what was sent over it. */
export function loopbackWire(rules: OutboundRules = { open: ['127.0.0.0/8', '::1/128'] }) {
  const agent = guardedAgent(rules, { connect_ms: 10_000, headers_ms: 60_000, body_ms: 0 })
  const sent: Sent[] = []
  const wire: Wire = async ({ method, url, headers, body }, signal) => {
    sent.push({ method, url: url.href, headers, body: Buffer.from(body ?? []).toString() })
    const answer = await fetch(url, { method, headers, body, signal, dispatcher: agent, redirect: 'manual' })
    return answer as unknown as Response
  }
  return { wire, sent, close: () => agent.destroy() }
}
