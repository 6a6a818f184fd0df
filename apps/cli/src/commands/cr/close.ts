import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { crArgument, crId } from './cr-argument.ts'

export const close: Configure = (command, cli) => {
  projectFlag(jsonFlag(crArgument(command))).action(async (given: string, flags: JsonFlag & ProjectFlag) => {
    const cr_id = crId(given)
    const { client, project_id } = await cli.project(flags.project)
    const cr = await client.projects.changeRequests.close(project_id, cr_id)
    if (flags.json) return cli.out.json(cr)
    cli.out.line(`Closed #${cr.number}  ${oneLine(cr.title)}`)
  })
}
