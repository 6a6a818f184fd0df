import { type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { findSessionId } from './find-session.ts'

export const abort: Configure = (command, cli) => {
  projectFlag(command.argument('<id>', 'the id, or its start')).action(
    async (given: string, flags: ProjectFlag) => {
      const { client, project_id } = await cli.project(flags.project)
      const session_id = await findSessionId(client, project_id, given)
      await client.projects.sessions.abort(project_id, session_id)
      cli.out.line(`Aborted what ${session_id} worked on`)
    },
  )
}
