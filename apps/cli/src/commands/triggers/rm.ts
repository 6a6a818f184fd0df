import { type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { printedProposal } from './proposed.ts'

export const rm: Configure = (command, cli) => {
  projectFlag(command.argument('<slug...>')).action(async (slugs: string[], flags: ProjectFlag) => {
    const { client, project_id } = await cli.project(flags.project)
    for (const slug of slugs) {
      const answer = await client.projects.triggers.delete(project_id, slug)
      if (!printedProposal(cli, answer)) cli.out.line(`Removed ${slug}`)
    }
  })
}
