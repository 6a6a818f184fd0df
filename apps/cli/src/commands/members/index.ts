import { Option } from 'commander'
import { oneLine } from '../../output/plain.ts'
import { type AccountFlag, accountFlag, accountOf } from '../account.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

type AccountRole = 'owner' | 'admin' | 'member'
type ProjectRole = 'manager' | 'editor' | 'member' | 'viewer'

const accountRoles: readonly AccountRole[] = ['owner', 'admin', 'member']
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
    .addArgument(group.createArgument('<role>').choices(accountRoles))
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

  jsonFlag(accountFlag(group.command('invite').description('invite a person to the account')))
    .argument('<email>')
    .addOption(new Option('--role <role>').choices(accountRoles).default('member'))
    .action(async (email: string, flags: AccountFlag & JsonFlag & { role: AccountRole }) => {
      const { client, account_id } = await accountOf(cli, flags.account)
      const created = await client.accounts.invitations.create(account_id, { email, role: flags.role })
      if (flags.json) return cli.out.json(created)
      cli.out.line(created.token)
      cli.out.note(
        `For ${oneLine(email)} until ${created.expires_at}: svc members join <token>. It is not shown again.`,
      )
    })

  group
    .command('join')
    .description('join the account that you were invited to')
    .argument('<token>')
    .action(async (token: string) => {
      const { client } = await cli.connect()
      const joined = await client.accounts.invitations.accept(token)
      cli.out.line(`You are ${joined.role} of ${oneLine(joined.name)} (${joined.account_id})`)
    })

  projectFlag(group.command('grant').description('give a person or a service account a role on a project'))
    .argument('<user-id>')
    .addArgument(group.createArgument('<role>').choices(projectRoles))
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
