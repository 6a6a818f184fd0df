import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { printFired } from './print-fired.ts'

export const replay: Configure = (command, cli) => {
  command.argument('<slug>').argument('<fire>', 'as svc triggers history <slug> shows it')
  projectFlag(jsonFlag(command)).action(
    async (slug: string, fire_id: string, flags: JsonFlag & ProjectFlag) => {
      const { client, project_id } = await cli.project(flags.project)
      const answer = await client.projects.triggers.replay(project_id, slug, fire_id)
      if (flags.json) return cli.out.json(answer)
      printFired(cli.out, slug, answer)
    },
  )
}
