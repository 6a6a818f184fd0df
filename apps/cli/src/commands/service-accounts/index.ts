import { oneLine } from '../../output/plain.ts'
import { type AccountFlag, accountFlag, accountOf } from '../account.ts'
import { duration, inSeconds } from '../duration.ts'
import { type JsonFlag, jsonFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { printMinted, printTokens } from '../print-tokens.ts'

type Flags = AccountFlag & JsonFlag

export const serviceAccounts: Configure = (group, cli) => {
  jsonFlag(accountFlag(group.command('ls').description('list service accounts'))).action(
    async ({ account, json }: Flags) => {
      const { client, account_id } = await accountOf(cli, account)
      const list = await client.accounts.serviceAccounts.list(account_id)
      if (json) return cli.out.json(list)
      if (list.length === 0) return cli.out.note('None yet: svc service-accounts new <name>')
      cli.out.table(
        [{ header: 'NAME', flexible: true }, { header: 'CREATED', optional: true }, { header: 'ID' }],
        list.map(({ name, created_at, service_account_id }) => [
          oneLine(name),
          created_at,
          service_account_id,
        ]),
      )
    },
  )

  jsonFlag(accountFlag(group.command('new').description('create a service account')))
    .argument('<name>')
    .action(async (name: string, { account, json }: Flags) => {
      const { client, account_id } = await accountOf(cli, account)
      const created = await client.accounts.serviceAccounts.create(account_id, { name })
      if (json) return cli.out.json(created)
      const id = created.service_account_id
      cli.out.line(id)
      cli.out.note(
        `It reaches nothing yet: svc members grant ${id} <role>, svc service-accounts key ${id} <name>`,
      )
    })

  accountFlag(group.command('rm').description('delete service accounts; their keys end at once'))
    .argument('<id...>')
    .action(async (ids: string[], { account }: AccountFlag) => {
      const { client, account_id } = await accountOf(cli, account)
      for (const id of ids) {
        await client.accounts.serviceAccounts.delete(account_id, id)
        cli.out.line(`Deleted ${id}`)
      }
    })

  jsonFlag(accountFlag(group.command('key').description('mint a key of a service account')))
    .argument('<id>')
    .argument('<name>')
    .option('--expires <duration>', 'such as 12h or 90d; else it does not expire', duration)
    .action(async (id: string, name: string, { account, json, expires }: Flags & { expires?: number }) => {
      const { client, account_id } = await accountOf(cli, account)
      const expires_at = expires === undefined ? {} : { expires_at: inSeconds(expires, Date.now()) }
      const minted = await client.accounts.serviceAccounts.createKey(account_id, id, { name, ...expires_at })
      return json ? cli.out.json(minted) : printMinted(cli, minted)
    })

  jsonFlag(accountFlag(group.command('keys').description('list the keys of a service account')))
    .argument('<id>')
    .action(async (id: string, { account, json }: Flags) => {
      const { client, account_id } = await accountOf(cli, account)
      const list = await client.accounts.serviceAccounts.keys(account_id, id)
      return json ? cli.out.json(list) : printTokens(cli, list)
    })

  accountFlag(group.command('revoke').description('end keys of a service account at once'))
    .argument('<id>')
    .argument('<token-id...>')
    .action(async (id: string, keys: string[], { account }: AccountFlag) => {
      const { client, account_id } = await accountOf(cli, account)
      for (const key of keys) {
        await client.accounts.serviceAccounts.revokeKey(account_id, id, key)
        cli.out.line(`Revoked ${key}`)
      }
    })
}
