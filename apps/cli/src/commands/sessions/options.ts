import type { RuntimeOption } from '@svc/sdk'
import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { findSessionId } from './find-session.ts'

export const options: Configure = (command, cli) => {
  projectFlag(jsonFlag(command.argument('<id>', 'the id, or its start'))).action(
    async (given: string, flags: JsonFlag & ProjectFlag) => {
      const { client, project_id } = await cli.project(flags.project)
      const session_id = await findSessionId(client, project_id, given)
      const runtime = await client.projects.sessions.runtime.get(project_id, session_id)
      if (flags.json) return cli.out.json(runtime)
      if (runtime.config_options.length === 0)
        return cli.out.note(`${oneLine(runtime.harness)} offers no options here.`)
      cli.out.table(
        [
          { header: 'OPTION' },
          { header: 'NAME', optional: true },
          { header: 'VALUE', flexible: true },
          { header: 'CHOICES', flexible: true },
        ],
        runtime.config_options.map((option) => [
          oneLine(option.id),
          oneLine(option.name),
          oneLine(String(option.currentValue)),
          oneLine(choicesOf(option).join(' | ')),
        ]),
      )
      cli.out.note(`Set one with: svc sessions set ${session_id.slice(0, 8)} <option> <value>`)
    },
  )
}

function choicesOf({ type, options: offered }: RuntimeOption): readonly string[] {
  return type === 'boolean' ? ['true', 'false'] : offered.map(({ value }) => value)
}
