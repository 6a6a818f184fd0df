import type { Client, Project } from '@svc/sdk'
import type { Cli } from '../../cli.ts'
import { writeLink } from '../../config/link-file.ts'
import { isUuid, projectBySlug } from '../../config/project.ts'
import { UsageError } from '../../failures.ts'
import { gitMaybe } from '../../git.ts'
import { letGitIn } from '../../git-access.ts'
import { choose } from '../../output/ask.ts'
import { oneLine } from '../../output/plain.ts'
import { type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

export const link: Configure = (command, cli) => {
  projectFlag(command.argument('[id-or-slug]', 'asked for on a terminal when left out')).action(
    async (given: string | undefined, flags: ProjectFlag) => {
      const { client, target } = await cli.connect()
      const project = await pick(
        cli,
        client,
        given ?? flags.project ?? (cli.io.env['SVC_PROJECT_ID'] || undefined),
      )
      const file = await writeLink(cli.io.cwd, project, target)
      if ((await gitMaybe(cli.io.cwd, ['rev-parse', '--git-dir'])) !== null)
        await letGitIn(cli.io.cwd, target, project.git_origin_url)
      cli.out.line(`Linked to ${oneLine(project.name)} (${project.project_id})`)
      cli.out.note(file)
    },
  )
}

async function pick(cli: Cli, client: Client, named: string | undefined): Promise<Project> {
  if (named !== undefined)
    return client.projects.get(isUuid(named) ? named : await projectBySlug(client, named))
  const projects = await client.projects.list()
  const [only, ...more] = projects
  if (only !== undefined && more.length === 0) return only
  const slug = await choose(
    cli.io,
    'Which project?',
    projects.map((project) => project.slug),
  )
  const chosen = projects.find((project) => project.slug === slug)
  if (chosen !== undefined) return chosen
  throw new UsageError('which project?', 'svc projects link <id-or-slug>; `svc projects ls` shows them')
}
