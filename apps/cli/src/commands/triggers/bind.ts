import { changedBindings } from '../connectors/bindings.ts'
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
      const before = await triggers.bindings(project_id, slug)
      const now =
        pairs.length === 0
          ? before
          : await triggers.setBindings(project_id, slug, changedBindings(before.connector_bindings, pairs))
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
