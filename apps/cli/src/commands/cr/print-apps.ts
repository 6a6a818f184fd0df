import { ApiError, type ChangeRequest, type ChangeRequestApp, type Client } from '@svc/sdk'
import { oneLine } from '../../output/plain.ts'
import type { Output } from '../../output/output.ts'

/** The apps that merging an open change request would deploy; null where the project has none. */
export async function appsOf(client: Client, cr: ChangeRequest): Promise<readonly ChangeRequestApp[] | null> {
  if (cr.status !== 'open') return null
  try {
    // Those that may not look do not ask: each refusal would stand in the audit log.
    const { capabilities } = await client.projects.get(cr.project_id)
    if (!capabilities.includes('project.app.read')) return null
    const { apps } = await client.projects.apps.ofChangeRequest(cr.project_id, cr.cr_id)
    return apps.length === 0 ? null : apps
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}

const effects = {
  create: 'gives it an address',
  release: 'releases it again',
  unchanged: 'leaves it as it is',
  remove: 'takes it away',
} as const

export function printApps(out: Output, apps: readonly ChangeRequestApp[]): void {
  out.line()
  out.table(
    [{ header: 'APP' }, { header: 'A MERGE' }, { header: 'PREVIEW', flexible: true }],
    apps.map(({ name, action, deployable, preview }) => [
      name,
      deployable ? effects[action] : 'fails to release it',
      preview?.url ?? '',
    ]),
  )
  for (const { path, message } of apps.flatMap(({ issues }) => issues))
    out.note(`svc.yaml: ${oneLine(`${path}: ${message}`)}`)
}
