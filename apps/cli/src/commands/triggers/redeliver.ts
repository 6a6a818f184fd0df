import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { printFired } from './print-fired.ts'

export const redeliver: Configure = (command, cli) => {
  command.argument('<slug>').argument('<receipt>', 'as svc triggers history <slug> --deliveries shows it')
  projectFlag(jsonFlag(command)).action(
    async (slug: string, receipt_id: string, flags: JsonFlag & ProjectFlag) => {
      const { client, project_id } = await cli.project(flags.project)
      const answer = await client.projects.triggers.redeliver(project_id, slug, receipt_id)
      if (flags.json) return cli.out.json(answer)
      printFired(cli.out, slug, answer)
    },
  )
}
