import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, positive, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

interface Flags extends JsonFlag, ProjectFlag {
  readonly name?: string
  readonly session?: string
  readonly limit: number
}

export const log: Configure = (command, cli) => {
  projectFlag(jsonFlag(command))
    .option('--name <name>', 'only of this secret')
    .option('--session <id>', 'only of this session')
    .option('--limit <count>', 'how many', positive, 50)
    .action(async (flags: Flags) => {
      const { client, project_id } = await cli.project(flags.project)
      const { items } = await client.projects.secrets.accesses(project_id, {
        limit: flags.limit,
        ...(flags.name === undefined ? {} : { name: flags.name }),
        ...(flags.session === undefined ? {} : { session_id: flags.session }),
      })
      if (flags.json) return cli.out.json(items)
      if (items.length === 0) return cli.out.note('No session was given any.')
      cli.out.table(
        [
          { header: 'AT' },
          { header: 'SESSION' },
          { header: 'AGENT', flexible: true },
          { header: 'OWNER', optional: true },
          { header: 'NAMES', flexible: true },
        ],
        items.map(({ at, session_id, agent_name, user_id, names, personal_names }) => [
          at,
          session_id.slice(0, 8),
          oneLine(agent_name),
          user_id.slice(0, 8),
          [...names, ...personal_names.map((name) => `${name} (yours)`)].join(' '),
        ]),
      )
    })
}
