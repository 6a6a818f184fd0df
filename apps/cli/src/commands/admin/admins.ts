import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { adminClient } from './admin-client.ts'
import { showPage } from './list-command.ts'

export const admins: Configure = (group, cli) => {
  jsonFlag(group.command('ls').description('the longest standing first')).action(async (flags: JsonFlag) => {
    const admin = await adminClient(cli)
    await showPage(cli, flags, admin.admins(), {
      columns: [
        { header: 'EMAIL', flexible: true },
        { header: 'NAME', optional: true },
        { header: 'SINCE' },
        { header: 'ID' },
      ],
      cells: ({ email, name, since, user_id }) => [oneLine(email), oneLine(name), since, user_id],
      none: 'There is none.',
    })
  })

  jsonFlag(group.command('add').description('by an address that its person has proved'))
    .argument('<email>')
    .action(async (email: string, { json }: JsonFlag) => {
      const added = await (await adminClient(cli)).addAdmin(email)
      if (json) return cli.out.json(added)
      cli.out.line(`${oneLine(added.email)} is a platform admin (${added.user_id})`)
    })

  group
    .command('rm')
    .description('never the last one')
    .argument('<user-id...>')
    .action(async (ids: string[]) => {
      const admin = await adminClient(cli)
      for (const id of ids) {
        await admin.removeAdmin(id)
        cli.out.line(`Removed ${id}`)
      }
    })
}
