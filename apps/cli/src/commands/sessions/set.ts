import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { findSessionId } from './find-session.ts'

export const set: Configure = (command, cli) => {
  command
    .argument('<id>', 'the id, or its start')
    .argument('<option>', 'as `svc sessions options` lists it')
    .argument('<value>', 'one of its choices')
  projectFlag(jsonFlag(command)).action(
    async (given: string, option: string, value: string, flags: JsonFlag & ProjectFlag) => {
      const { client, project_id } = await cli.project(flags.project)
      const session_id = await findSessionId(client, project_id, given)
      const { runtime } = client.projects.sessions
      const answer = await runtime.set(project_id, session_id, { [option]: value })
      if (flags.json) return cli.out.json(answer)
      const now = answer.config_options.find(({ id }) => id === option)?.currentValue ?? value
      cli.out.line(`${oneLine(option)} is ${oneLine(String(now))}`)
    },
  )
}
