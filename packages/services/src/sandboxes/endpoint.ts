import type { BaseContext } from '@svc/context'
import type { ProjectRow, SandboxRow, WarmSandboxRow } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { SandboxEndpoint } from '@svc/sandbox'
import { z } from 'zod'
import { openSealed, sealFor } from '../projects/project-vault.ts'
import { openForWarm, sealForWarm } from './warm/pool.ts'

const Sealed = z.object({
  url: z.string(),
  headers: z.record(z.string(), z.string()).exactOptional(),
  ca: z.string().exactOptional(),
})

const sealedName = (session_id: string) => `sandbox-endpoint:${session_id}`

type Ctx = Pick<BaseContext, 'vault'>

/** The columns of a session's sandbox that say where its daemon answers. */
export function endpointColumns(
  { vault }: Ctx,
  project: ProjectRow,
  session_id: string,
  endpoint: SandboxEndpoint,
) {
  return columnsOf(endpoint, (text) => sealFor(vault, project, sealedName(session_id), text))
}

/** The endpoint of this sandbox's daemon. */
export function endpointOf(
  { vault }: Ctx,
  project: ProjectRow,
  sandbox: Pick<SandboxRow, 'session_id' | 'endpoint' | 'sealed_endpoint'>,
): SandboxEndpoint {
  const name = sealedName(sandbox.session_id)
  return readColumns(sandbox, (sealed) => openSealed(vault, project, name, sealed))
}

/** The same of a sandbox that has no session yet. */
export function warmEndpointColumns(ctx: Ctx, row: WarmSandboxRow, endpoint: SandboxEndpoint) {
  return columnsOf(endpoint, (text) => sealForWarm(ctx, row, 'endpoint', text))
}

export function warmEndpointOf(ctx: Ctx, row: WarmSandboxRow): SandboxEndpoint {
  return readColumns(row, (sealed) => openForWarm(ctx, row, 'endpoint', sealed))
}

/** The address is in both columns: an address that a release without sealed endpoints writes is then noticed. */
function columnsOf(endpoint: SandboxEndpoint, seal: (text: string) => string) {
  const { url, ...more } = endpoint
  const is_plain = Object.keys(more).length === 0
  return { endpoint: url, sealed_endpoint: is_plain ? null : seal(JSON.stringify(endpoint)) }
}

function readColumns(
  { endpoint: url, sealed_endpoint }: Pick<SandboxRow, 'endpoint' | 'sealed_endpoint'>,
  open: (sealed: string) => string,
): SandboxEndpoint {
  if (url === null)
    throw new ServiceError('sandbox_unreachable', 'The sandbox has no address yet; try again in a moment')
  if (sealed_endpoint === null) return { url }
  const whole = Sealed.parse(JSON.parse(open(sealed_endpoint)))
  return whole.url === url ? whole : { url }
}
