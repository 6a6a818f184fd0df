import { oneLine } from '../../output/plain.ts'
import { type AccountFlag, accountFlag, accountOf } from '../account.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { type AccountRole, accountRoles, invitations } from './invitations.ts'

type ProjectRole = 'manager' | 'editor' | 'member' | 'viewer'

const projectRoles: readonly ProjectRole[] = ['manager', 'editor', 'member', 'viewer']

export const members: Configure = (group, cli) => {
  const ls = group.command('ls').description('people of the account, or those with a role on --project')
  jsonFlag(accountFlag(ls))
    .option('--project <id-or-slug>', 'who has a role on it')
    .action(async ({ account, project, json }: AccountFlag & JsonFlag & ProjectFlag) => {
      if (project !== undefined) {
        const { client, project_id } = await cli.project(project)
        const list = await client.projects.members.list(project_id)
        return json ? cli.out.json(list) : print(list)
      }
      const { client, account_id } = await accountOf(cli, account)
      const list = await client.accounts.members.list(account_id)
      return json ? cli.out.json(list) : print(list)
    })

  accountFlag(group.command('role').description('change the role of a person in the account'))
    .argument('<user-id>')
    .addArgument(group.createArgument('<role>', 'in the account').choices(accountRoles))
    .action(async (user_id: string, role: AccountRole, { account }: AccountFlag) => {
      const { client, account_id } = await accountOf(cli, account)
      await client.accounts.members.update(account_id, user_id, { role })
      cli.out.line(`${user_id} is ${role}`)
    })

  accountFlag(
    group.command('rm').description('remove people from the account; or leave it, with your own id'),
  )
    .argument('<user-id...>')
    .action(async (ids: string[], { account }: AccountFlag) => {
      const { client, account_id } = await accountOf(cli, account)
      for (const id of ids) {
        await client.accounts.members.remove(account_id, id)
        cli.out.line(`Removed ${id}`)
      }
    })

  invitations(group, cli)

  projectFlag(group.command('grant').description('give a person or a service account a role on a project'))
    .argument('<user-id>')
    .addArgument(group.createArgument('<role>', 'on the project').choices(projectRoles))
    .action(async (user_id: string, role: ProjectRole, { project }: ProjectFlag) => {
      const { client, project_id } = await cli.project(project)
      await client.projects.members.set(project_id, user_id, { role })
      cli.out.line(`${user_id} is ${role}`)
    })

  projectFlag(group.command('revoke').description('take roles on a project away'))
    .argument('<user-id...>')
    .action(async (ids: string[], { project }: ProjectFlag) => {
      const { client, project_id } = await cli.project(project)
      for (const id of ids) {
        await client.projects.members.remove(project_id, id)
        cli.out.line(`Revoked ${id}`)
      }
    })

  interface Listed {
    readonly user_id: string
    readonly name: string
    readonly email: string | null
    readonly role: string
  }

  function print(list: readonly Listed[]): void {
    if (list.length === 0) return cli.out.note('No members.')
    cli.out.table(
      [
        { header: 'NAME', flexible: true },
        { header: 'EMAIL', flexible: true },
        { header: 'ROLE' },
        { header: 'ID' },
      ],
      list.map(({ user_id, name, email, role }) => [
        oneLine(name),
        email ?? 'service account',
        role,
        user_id,
      ]),
    )
  }
}
