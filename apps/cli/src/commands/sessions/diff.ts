import { showPatch } from '../../output/patch.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { findSessionId } from './find-session.ts'

export const diff: Configure = (command, cli) => {
  projectFlag(jsonFlag(command.argument('<id>', 'the id, or its start'))).action(
    async (given: string, flags: JsonFlag & ProjectFlag) => {
      const { client, project_id } = await cli.project(flags.project)
      const session_id = await findSessionId(client, project_id, given)
      const answer = await client.projects.sessions.diff(project_id, session_id)
      if (flags.json) return cli.out.json(answer)
      await showPatch(cli, answer)
      if (answer.source === 'checkpoint') cli.out.note('With what was saved, but not committed.')
    },
  )
}
