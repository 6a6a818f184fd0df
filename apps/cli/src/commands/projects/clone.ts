import { readdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { writeLink } from '../../config/link-file.ts'
import { isUuid, projectBySlug } from '../../config/project.ts'
import { OperationError } from '../../failures.ts'
import { git } from '../../git.ts'
import { accessTo, letGitIn } from '../../git-access.ts'
import { oneLine } from '../../output/plain.ts'
import { waitingFor } from '../../output/spinner.ts'
import type { Configure } from '../groups.ts'

export const clone: Configure = (command, cli) => {
  command
    .argument('<id-or-slug>', 'the project')
    .argument('[folder]', "an empty one, or one to be made; else the project's slug")
    .action(async (given: string, folder: string | undefined) => {
      const connection = await cli.connect()
      const { client, target } = connection
      const project = await client.projects.get(isUuid(given) ? given : await projectBySlug(client, given))
      const root = resolve(cli.io.cwd, folder ?? project.slug)
      if ((await readdir(root).catch(() => [])).length > 0)
        throw new OperationError(
          `${root} is not empty`,
          'name another folder; one that has the repository is linked: svc projects link',
        )
      const { flags, env, remote, url } = await accessTo(project, connection)
      const args = [...flags, 'clone', '--quiet', '--origin', remote, '--', url, root]
      const { code, stderr } = await waitingFor(cli, 'Cloning', git(cli.io.cwd, args, { env }))
      if (code !== 0) throw new OperationError(`git clone failed: ${stderr.trim() || `exit code ${code}`}`)
      await letGitIn(root, target, project.git_origin_url)
      await writeLink(root, project, target)
      cli.out.line(`Cloned ${oneLine(project.name)} (${project.project_id}) and linked its folder`)
      cli.out.note(root)
    })
}
