import { OperationError } from '../../failures.ts'
import { git, gitMaybe } from '../../git.ts'
import { accessTo } from '../../git-access.ts'
import { oneLine } from '../../output/plain.ts'
import { type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { crArgument, crId } from './cr-argument.ts'

export const checkout: Configure = (command, cli) => {
  projectFlag(crArgument(command)).action(async (given: string, flags: ProjectFlag) => {
    const cr_id = crId(given)
    const root = await gitMaybe(cli.io.cwd, ['rev-parse', '--show-toplevel'])
    if (root === null)
      throw new OperationError('this folder is in no git repository', 'svc projects clone <id-or-slug>')
    const connection = await cli.connect()
    const { client, project_id } = await cli.project(flags.project)
    const [cr, project] = await Promise.all([
      client.projects.changeRequests.get(project_id, cr_id),
      client.projects.get(project_id),
    ])
    const access = await accessTo(project, connection)
    const { head_ref } = cr
    const tip = `${access.remote}/${head_ref}`
    const refspec = `+refs/heads/${head_ref}:refs/remotes/${tip}`
    const fetching = [...access.flags, 'fetch', '--quiet', '--no-tags', '--', access.url, refspec]
    await mustRun(root, fetching, `the branch of #${cr.number} could not be fetched`, access.env)
    const isHere = await gitMaybe(root, ['rev-parse', '--verify', '--quiet', `refs/heads/${head_ref}`])
    const switching =
      isHere === null ? ['switch', '--quiet', '--create', head_ref, tip] : ['switch', '--quiet', head_ref]
    await mustRun(root, switching, `${head_ref} could not be checked out`)
    if (isHere !== null && (await git(root, ['merge', '--quiet', '--ff-only', tip])).code !== 0)
      throw new OperationError(
        `${head_ref} has commits here that #${cr.number} has not`,
        `git rebase ${tip}, or git reset --hard ${tip} to let them go`,
      )
    cli.out.line(`On ${oneLine(head_ref)}, the branch of #${cr.number}  ${oneLine(cr.title)}`)
  })
}

async function mustRun(
  root: string,
  args: readonly string[],
  what: string,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { code, stderr } = await git(root, args, { env })
  if (code !== 0) throw new OperationError(`${what}: ${stderr.trim() || `exit code ${code}`}`)
}
