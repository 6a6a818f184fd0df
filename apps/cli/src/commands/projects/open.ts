import { dashboardPage } from '../../config/dashboard.ts'
import { showPage } from '../../output/show-page.ts'
import { type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

export const open: Configure = (command, cli) => {
  projectFlag(command.argument('[id-or-slug]', 'the project of this folder when left out')).action(
    async (given: string | undefined, flags: ProjectFlag) => {
      const { project_id } = await cli.project(given ?? flags.project)
      const { api_url } = await cli.target()
      await showPage(cli, await dashboardPage(cli.io.env, api_url, `/projects/${project_id}`))
    },
  )
}
