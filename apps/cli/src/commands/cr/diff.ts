import { colorDiff } from '../../output/diff.ts'
import { showPaged } from '../../output/pager.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { crArgument, crId } from './cr-argument.ts'
import { showedHead } from './look.ts'

export const diff: Configure = (command, cli) => {
  projectFlag(jsonFlag(crArgument(command))).action(async (given: string, flags: JsonFlag & ProjectFlag) => {
    const cr_id = crId(given)
    const { client, target, project_id } = await cli.project(flags.project)
    const answer = await client.projects.changeRequests.diff(project_id, cr_id)
    await showedHead(cli, target, answer.cr_id, answer.head_sha)
    if (flags.json) return cli.out.json(answer)
    // A pipe gets the patch byte for byte, so that `git apply` takes it.
    if (cli.out.is_terminal) await showPaged(cli.io, `${colorDiff(answer.patch, cli.out.colors).trimEnd()}\n`)
    else cli.io.stdout.write(answer.patch)
    if (answer.patch_truncated) {
      cli.out.note(
        `The patch is cut: ${answer.files_changed} files, +${answer.additions} -${answer.deletions} in all.`,
      )
    }
  })
}
