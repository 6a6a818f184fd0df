import { type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

export const rm: Configure = (command, cli) => {
  projectFlag(command.argument('<slug...>')).action(async (slugs: string[], flags: ProjectFlag) => {
    const { client, project_id } = await cli.project(flags.project)
    for (const slug of slugs) {
      await client.projects.triggers.delete(project_id, slug)
      cli.out.line(`Removed ${slug}`)
    }
  })
}
