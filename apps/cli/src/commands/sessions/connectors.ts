import { oneLine } from '../../output/plain.ts'
import { choose } from '../connectors/bindings.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { findSessionId } from './find-session.ts'

export const connectors: Configure = (command, cli) => {
  command
    .argument('<id>', 'the id, or its start')
    .argument(
      '[choice...]',
      'connector=connection: the next call takes it; connector= goes back to a default',
    )
  projectFlag(jsonFlag(command)).action(
    async (given: string, pairs: readonly string[], flags: JsonFlag & ProjectFlag) => {
      const { client, project_id } = await cli.project(flags.project)
      const session_id = await findSessionId(client, project_id, given)
      const of = client.projects.sessions.connectors
      const now = await choose(
        pairs,
        () => of.get(project_id, session_id),
        (bindings) => of.set(project_id, session_id, bindings),
      )
      if (flags.json) return cli.out.json(now)
      if (now.connectors.length === 0) return cli.out.note('Its agent may call no connector.')
      cli.out.table(
        [
          { header: 'CONNECTOR' },
          { header: 'CONNECTION', flexible: true },
          { header: 'OF' },
          { header: 'CHOSEN' },
        ],
        now.connectors.map(({ slug, connection, connected }) => [
          slug,
          connection === null ? (connected ? 'none needed' : 'missing') : oneLine(connection.label),
          connection === null ? '' : connection.scope === 'personal' ? 'you' : 'the project',
          slug in now.connector_bindings ? 'yes' : '',
        ]),
      )
      for (const { slug, connected, connect_url } of now.connectors)
        if (!connected) cli.out.note(`Connect ${slug}: ${connect_url}`)
    },
  )
}
