import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

export const info: Configure = (command, cli) => {
  projectFlag(jsonFlag(command.argument('[id-or-slug]', 'the project of this folder when left out'))).action(
    async (given: string | undefined, flags: JsonFlag & ProjectFlag) => {
      const { client, project_id } = await cli.project(given ?? flags.project)
      const project = await client.projects.get(project_id)
      if (flags.json) return cli.out.json(project)
      cli.out.fields([
        ['name', oneLine(project.name)],
        ['slug', project.slug],
        ['id', project.project_id],
        ['repository', oneLine(project.repo_url)],
        ['clone url', project.git_origin_url === project.repo_url ? null : project.git_origin_url],
        ['default branch', oneLine(project.default_branch)],
        ['your role', project.project_role],
        ['status', project.status],
        ['created', project.created_at],
      ])
    },
  )
}
