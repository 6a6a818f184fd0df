import type { Socket } from 'node:net'
import type { Authority } from './authority.ts'
import { connectTo } from './connect-to.ts'
import { EgressRefusal } from './egress-refusal.ts'
import { type Egress, judge } from './egress.ts'
import type { Reach } from './reach.ts'

/** Connects to where a sandbox with this reach may go, at the addresses that were judged. */
export async function dial(egress: Egress, reach: Reach, target: Authority): Promise<Socket> {
  const verdict = await judge(target, reach, egress)
  if (!verdict.allowed) throw new EgressRefusal(verdict.why)
  const { connect = connectTo } = egress
  return connect(target, verdict.addresses, verdict.timeout_ms)
}
