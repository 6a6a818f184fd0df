import type { ListSandboxesQuery } from '@svc/sdk/admin'
import { Option } from 'commander'
import { ago } from '../../output/ago.ts'
import type { Configure } from '../groups.ts'
import { adminClient } from './admin-client.ts'
import { type ListFlags, listFlags, showPage } from './list-command.ts'

const statuses = ['provisioning', 'active', 'stopped', 'error', 'archived'] as const

type Filter = Pick<ListSandboxesQuery, 'machine' | 'provider' | 'status'>

export const sandboxes: Configure = (group, cli) => {
  listFlags(group.command('ls').description('the last used first'))
    .option('--machine <name>', 'only those on this machine')
    .option('--provider <name>', 'only those of this provider')
    .addOption(new Option('--status <status>').choices(statuses))
    .action(async ({ json, ...query }: ListFlags & Filter) => {
      const admin = await adminClient(cli)
      const now = Date.now()
      await showPage(cli, { ...(json && { json }) }, admin.sandboxes(query), {
        columns: [
          { header: 'SESSION' },
          { header: 'STATUS' },
          { header: 'MACHINE', optional: true },
          { header: 'PROVIDER', optional: true },
          { header: 'USED' },
          { header: 'EXTERNAL ID', flexible: true },
        ],
        cells: (one) => [
          one.session_id,
          one.status,
          one.machine,
          one.provider,
          ago(one.last_active_at, now),
          one.external_id,
        ],
        none: 'No such sandboxes.',
      })
    })

  group
    .command('stop')
    .description('save the work of sessions and stop their sandboxes; files are kept')
    .argument('<session-id...>')
    .action(async (ids: string[]) => {
      const admin = await adminClient(cli)
      for (const id of ids) {
        await admin.stopSandbox(id)
        cli.out.line(`Stopping ${id}`)
      }
    })
}
