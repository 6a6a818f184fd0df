import { counted } from '@svc/facts'
import { ApiError, type ChangeRequest, type Client } from '@svc/sdk'
import type { Cli } from '../../cli.ts'
import { rememberHead } from '../../config/seen-heads.ts'
import type { Target } from '../../config/target.ts'
import { oneLine } from '../../output/plain.ts'

/** Keeps which commit was shown: a merge from this machine is of that one. */
export async function showedHead(
  { config_file }: Cli,
  { api_url }: Target,
  cr_id: string,
  head: string | null,
): Promise<void> {
  if (head !== null) await rememberHead(config_file, { api_url, cr_id }, head)
}

/** A line on what a merge of this change request takes in. */
export async function whatItMerges(client: Client, cr: ChangeRequest, head: string): Promise<string> {
  const size = await sizeOf(client, cr)
  const branches = `${oneLine(cr.head_ref)} at ${head.slice(0, 12)} into ${oneLine(cr.base_ref)}`
  return `#${cr.number}  ${oneLine(cr.title)}: ${[...size, branches].join(', ')}`
}

/** Left out where it cannot be told: the merge itself says why. */
async function sizeOf(client: Client, cr: ChangeRequest): Promise<string[]> {
  try {
    const [preview, diff] = await Promise.all([
      client.projects.changeRequests.mergePreview(cr.project_id, cr.cr_id),
      client.projects.changeRequests.diff(cr.project_id, cr.cr_id),
    ])
    return [counted(preview.ahead, 'commit'), counted(diff.files_changed, 'file')]
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return []
  }
}
