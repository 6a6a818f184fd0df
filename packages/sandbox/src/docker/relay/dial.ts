import type { Socket } from 'node:net'
import type { Authority } from '../../relay/authority.ts'
import { connectTo } from '../../relay/connect-to.ts'
import { type Egress, judge, reachOf } from '../../relay/egress.ts'

/** Connects to where a sandbox with this environment may go; throws with words for the sandbox otherwise. */
export async function dial(
  egress: Egress,
  environment: Readonly<Record<string, string>>,
  wanted: Authority,
): Promise<Socket> {
  const verdict = await judge(wanted, reachOf(environment), egress)
  if (!verdict.allowed) throw new Error(verdict.why)
  return connectTo(wanted, verdict.addresses, verdict.patience_ms)
}
