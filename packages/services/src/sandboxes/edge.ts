import type { BaseContext } from '@svc/context'
import { projects, type SandboxRow } from '@svc/db'
import type { ProviderEdge } from '@svc/sandbox'
import { z } from 'zod'
import { openSealed, sealFor } from '../projects/project-vault.ts'

const Edge = z.object({ url: z.string(), headers: z.record(z.string(), z.string()) })

const sealedName = (session_id: string) => `provider-edge:${session_id}`

export function sealEdge(
  { vault }: Pick<BaseContext, 'vault'>,
  project: Parameters<typeof sealFor>[1],
  session_id: string,
  edge: ProviderEdge | null,
): string | null {
  return edge === null ? null : sealFor(vault, project, sealedName(session_id), JSON.stringify(edge))
}

/** The address at which the sandbox tells its provider that it is in use; null where the provider has none. */
export async function edgeOf(
  { db, vault }: Pick<BaseContext, 'db' | 'vault'>,
  project_id: string,
  { session_id, sealed_edge }: Pick<SandboxRow, 'session_id' | 'sealed_edge'>,
): Promise<ProviderEdge | null> {
  const project = sealed_edge === null ? undefined : await projects.find(db, project_id)
  if (sealed_edge === null || !project) return null
  return Edge.parse(JSON.parse(openSealed(vault, project, sealedName(session_id), sealed_edge)))
}
