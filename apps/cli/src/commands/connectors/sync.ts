import { ReportedFailure } from '../../failures.ts'
import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

export const sync: Configure = (command, cli) => {
  projectFlag(jsonFlag(command.argument('<slug>'))).action(
    async (slug: string, flags: JsonFlag & ProjectFlag) => {
      const { client, project_id } = await cli.project(flags.project)
      const connector = await client.projects.connectors.sync(project_id, slug)
      if (flags.json) cli.out.json(connector)
      else cli.out.line(`${slug}: ${connector.status.replace('_', ' ')}, ${connector.actions} actions`)
      if (connector.error === null) return
      cli.out.note(oneLine(connector.error))
      throw new ReportedFailure(connector.error)
    },
  )
}
