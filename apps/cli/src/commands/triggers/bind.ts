import { choose } from '../connectors/bindings.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

export const bind: Configure = (command, cli) => {
  command
    .argument('<slug>')
    .argument(
      '[choice...]',
      'connector=connection: the next fire takes it; connector= goes back to the default',
    )
  projectFlag(jsonFlag(command)).action(
    async (slug: string, pairs: readonly string[], flags: JsonFlag & ProjectFlag) => {
      const { client, project_id } = await cli.project(flags.project)
      const { triggers } = client.projects
      const now = await choose(
        pairs,
        () => triggers.bindings(project_id, slug),
        (bindings) => triggers.setBindings(project_id, slug, bindings),
      )
      if (flags.json) return cli.out.json(now)
      const chosen = Object.entries(now.connector_bindings)
      if (chosen.length === 0)
        return cli.out.note(`${slug} works with the default connections of the project.`)
      cli.out.table(
        [{ header: 'CONNECTOR' }, { header: 'CONNECTION' }],
        chosen.map(([connector, { connection_id }]) => [connector, connection_id]),
      )
    },
  )
}
