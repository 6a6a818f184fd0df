import { oneLine } from '../../output/plain.ts'
import type { Configure } from '../groups.ts'
import { adminClient } from './admin-client.ts'
import { type ListFlags, listFlags, showPage } from './list-command.ts'

export const audit: Configure = (group, cli) => {
  listFlags(group.command('ls').description('newest first')).action(async ({ limit, json }: ListFlags) => {
    const admin = await adminClient(cli)
    await showPage(cli, { ...(json && { json }) }, admin.audit({ limit }), {
      columns: [
        { header: 'AT' },
        { header: 'ACTOR' },
        { header: 'ACTION' },
        { header: 'ACCOUNT', optional: true },
        { header: 'TARGET', flexible: true },
      ],
      cells: ({ at, actor, action, account_id, target }) => [
        at,
        `${actor.type} ${actor.id.slice(0, 8)}`,
        action,
        account_id,
        oneLine(target),
      ],
      none: 'No change yet.',
    })
  })
}
