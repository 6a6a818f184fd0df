import type { Client, Project } from '@svc/sdk'
import { createAdminClient } from '@svc/sdk/admin'
import { waitFor } from '../wait-for.ts'

/** Until no row owes work. */
export async function settle({ origin, token }: { origin: string; token: string }): Promise<void> {
  const admin = createAdminClient({ api_url: `${origin}/v1`, token })
  let owed = ''
  await waitFor('nothing is owed', async () => {
    const rows = (await admin.overview()).owed.filter((one) => one.rows > 0)
    owed = rows.map((one) => JSON.stringify(one)).join(', ')
    return rows.length === 0
  }).catch((cause: unknown) => {
    throw new Error(`Still owed: ${owed}`, { cause })
  })
}

/** Its sandboxes outlive the services, which leave them to those that come after them. */
export async function endSandboxes(
  { client, project, token }: { client: Client; project: Project; token: string },
  origin: string,
): Promise<void> {
  await client.projects.archive(project.project_id)
  await settle({ origin, token })
}
