import { showPatch } from '../../output/patch.ts'
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
    await showPatch(cli, answer)
  })
}
