import { waitingFor } from '../../output/spinner.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { findSessionId } from './find-session.ts'

export const start: Configure = (command, cli) => {
  projectFlag(jsonFlag(command.argument('<id>', 'the id, or its start'))).action(
    async (given: string, flags: JsonFlag & ProjectFlag) => {
      const { client, project_id } = await cli.project(flags.project)
      const session_id = await findSessionId(client, project_id, given)
      const starting = client.projects.sessions.start(project_id, session_id)
      const session = await waitingFor(cli, 'Starting', starting)
      if (flags.json) return cli.out.json(session)
      cli.out.line(session.status === 'running' ? `Runs ${session_id}` : `Starting ${session_id}`)
    },
  )
}
