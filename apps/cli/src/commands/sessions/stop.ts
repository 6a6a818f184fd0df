import { waitingFor } from '../../output/spinner.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { findSessionId } from './find-session.ts'

export const stop: Configure = (command, cli) => {
  projectFlag(jsonFlag(command.argument('<id>', 'the id, or its start'))).action(
    async (given: string, flags: JsonFlag & ProjectFlag) => {
      const { client, project_id } = await cli.project(flags.project)
      const session_id = await findSessionId(client, project_id, given)
      const session = await waitingFor(cli, 'Stopping', client.projects.sessions.stop(project_id, session_id))
      if (flags.json) return cli.out.json(session)
      cli.out.line(`Stopped ${session_id}`)
      cli.out.note(`Its next message wakes it, or svc sessions start ${session_id.slice(0, 8)}`)
    },
  )
}
