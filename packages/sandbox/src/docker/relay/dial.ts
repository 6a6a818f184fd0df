import type { Socket } from 'node:net'
import type { Authority } from '../../process/network/authority.ts'
import { connectTo } from '../../process/network/connect-to.ts'
import { type Egress, judge, reachOf } from '../../process/network/egress.ts'

/** Connects to where a sandbox with this environment may go; throws with words for the sandbox otherwise. */
export async function dial(
  egress: Egress,
  environment: Readonly<Record<string, string>>,
  wanted: Authority,
): Promise<Socket> {
  const verdict = await judge(wanted, reachOf(environment), egress)
  if (!verdict.allowed) throw new Error(verdict.why)
  return connectTo(wanted, verdict.addresses)
}
