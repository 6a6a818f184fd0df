import { waitingFor } from '../../output/spinner.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { findSessionId } from './find-session.ts'

export const refresh: Configure = (command, cli) => {
  projectFlag(jsonFlag(command.argument('<id>', 'the id, or its start'))).action(
    async (given: string, flags: JsonFlag & ProjectFlag) => {
      const { client, project_id } = await cli.project(flags.project)
      const session_id = await findSessionId(client, project_id, given)
      const refreshing = client.projects.sessions.refresh(project_id, session_id)
      const outcome = await waitingFor(cli, 'Refreshing', refreshing)
      if (flags.json) return cli.out.json(outcome)
      const { updated, note, restart, commit } = outcome
      const at = commit === null ? '' : ` at ${commit.slice(0, 8)}`
      cli.out.line(note ?? (updated ? `The branch is now${at}` : `The branch was up to date${at}`))
      cli.out.note(
        restart === 'now' ? 'The agent starts anew.' : 'The agent starts anew when its turn has ended.',
      )
    },
  )
}
