import { ApiError, type ChangeRequest, type Client, type MergePreview } from '@svc/sdk'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { crArgument, crId } from './cr-argument.ts'
import { showedHead } from './look.ts'
import { appsOf, printApps } from './print-apps.ts'
import { printChangeRequest, printPreview } from './print.ts'

export const show: Configure = (command, cli) => {
  projectFlag(jsonFlag(crArgument(command))).action(async (given: string, flags: JsonFlag & ProjectFlag) => {
    const cr_id = crId(given)
    const { client, target, project_id } = await cli.project(flags.project)
    const { cost, ...change_request } = await client.projects.changeRequests.get(project_id, cr_id)
    await showedHead(cli, target, change_request.cr_id, change_request.head_commit_sha)
    const { merge_preview, refusal } = await previewOf(client, change_request)
    const apps = await appsOf(client, change_request)
    if (flags.json) return cli.out.json({ change_request, cost, merge_preview, ...(apps && { apps }) })
    printChangeRequest(cli.out, change_request, cost)
    if (merge_preview !== null) printPreview(cli.out, merge_preview)
    if (apps !== null) printApps(cli.out, apps)
    if (refusal !== null) cli.out.note(`No merge preview: ${refusal.message}`)
  })
}

/** Only an open one has a preview; a missing branch or an unreachable repository leaves the rest to be shown. */
async function previewOf(
  client: Client,
  cr: ChangeRequest,
): Promise<{ merge_preview: MergePreview | null; refusal: ApiError | null }> {
  if (cr.status !== 'open') return { merge_preview: null, refusal: null }
  try {
    const merge_preview = await client.projects.changeRequests.mergePreview(cr.project_id, cr.cr_id)
    return { merge_preview, refusal: null }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { merge_preview: null, refusal: error }
  }
}
