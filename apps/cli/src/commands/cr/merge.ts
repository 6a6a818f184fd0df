import { oneLine } from '../../output/plain.ts'
import { waitingFor } from '../../output/spinner.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { crArgument, crId } from './cr-argument.ts'

interface Flags extends JsonFlag, ProjectFlag {
  readonly message?: string
}

export const merge: Configure = (command, cli) => {
  crArgument(command).option('--message <text>', 'message of the merge commit')
  projectFlag(jsonFlag(command)).action(async (given: string, flags: Flags) => {
    const cr_id = crId(given)
    const { client, project_id } = await cli.project(flags.project)
    const input = flags.message === undefined ? {} : { message: flags.message }
    const merging = client.projects.changeRequests.merge(project_id, cr_id, input)
    const answer = await waitingFor(cli, 'Merging', merging)
    if (flags.json) return cli.out.json(answer)
    const { change_request: cr, merge } = answer
    const how = merge.fast_forward ? 'fast-forward' : 'merge commit'
    cli.out.line(`Merged #${cr.number} into ${oneLine(cr.base_ref)}: ${how} ${merge.merge_commit_sha}`)
  })
}
