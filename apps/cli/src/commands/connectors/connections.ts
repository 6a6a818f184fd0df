import { ago } from '../../output/ago.ts'
import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

export const connections: Configure = (command, cli) => {
  command
    .argument('<slug>')
    .option('--default <id>', 'make it the one that is taken where nothing names another')
  projectFlag(jsonFlag(command)).action(
    async (slug: string, flags: JsonFlag & ProjectFlag & { readonly default?: string }) => {
      const { client, project_id } = await cli.project(flags.project)
      const of = client.projects.connectors.connections
      if (flags.default !== undefined) await of.update(project_id, slug, flags.default, { default: true })
      const list = await of.list(project_id, slug)
      if (flags.json) return cli.out.json({ connections: list })
      if (list.length === 0) return cli.out.note(`None: svc connectors connect ${slug}`)
      cli.out.table(
        [
          { header: 'ID' },
          { header: 'LABEL', flexible: true },
          { header: 'OF' },
          { header: 'STATUS' },
          { header: 'DEFAULT' },
          { header: 'USED', optional: true },
          { header: 'LAST ERROR', optional: true },
        ],
        list.map((one) => [
          one.connection_id,
          oneLine(one.label),
          one.scope === 'personal' ? 'you' : 'the project',
          one.online === null ? one.status : one.online ? 'online' : 'offline',
          one.is_default ? 'yes' : '',
          one.last_used_at === null ? 'never' : ago(one.last_used_at, Date.now()),
          oneLine(one.last_error ?? ''),
        ]),
      )
    },
  )
}
