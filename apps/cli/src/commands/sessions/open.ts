import { dashboardPage } from '../../config/dashboard.ts'
import { showPage } from '../../output/show-page.ts'
import { type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { findSessionId } from './find-session.ts'

export const open: Configure = (command, cli) => {
  projectFlag(command.argument('<id>', 'the id, or its start')).action(
    async (given: string, flags: ProjectFlag) => {
      const { client, project_id } = await cli.project(flags.project)
      const session_id = await findSessionId(client, project_id, given)
      const { api_url } = await cli.target()
      const page = `/projects/${project_id}/sessions/${session_id}`
      await showPage(cli, await dashboardPage(cli.io.env, api_url, page))
    },
  )
}
