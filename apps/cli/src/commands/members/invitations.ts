import { Option } from 'commander'
import { oneLine } from '../../output/plain.ts'
import { type AccountFlag, accountFlag, accountOf } from '../account.ts'
import { type JsonFlag, jsonFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

export type AccountRole = 'owner' | 'admin' | 'member'
export const accountRoles: readonly AccountRole[] = ['owner', 'admin', 'member']

/** The way of a person into an account. */
export const invitations: Configure = (group, cli) => {
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

  jsonFlag(
    accountFlag(group.command('invitations').description('those who were invited and did not join yet')),
  ).action(async ({ account, json }: AccountFlag & JsonFlag) => {
    const { client, account_id } = await accountOf(cli, account)
    const list = await client.accounts.invitations.list(account_id)
    if (json) return cli.out.json(list)
    if (list.length === 0) return cli.out.note('No open invitations: svc members invite <email>')
    cli.out.table(
      [{ header: 'EMAIL', flexible: true }, { header: 'ROLE' }, { header: 'UNTIL' }, { header: 'ID' }],
      list.map(({ email, role, expires_at, invitation_id }) => [
        oneLine(email),
        role,
        expires_at,
        invitation_id,
      ]),
    )
  })

  accountFlag(group.command('uninvite').description('take invitations back: their tokens end at once'))
    .argument('<id...>', 'as svc members invitations lists them')
    .action(async (ids: string[], { account }: AccountFlag) => {
      const { client, account_id } = await accountOf(cli, account)
      for (const id of ids) {
        await client.accounts.invitations.revoke(account_id, id)
        cli.out.line(`Took back ${id}`)
      }
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
}
