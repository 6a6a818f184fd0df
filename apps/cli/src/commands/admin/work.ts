import { type WorkKind, workKinds } from '@svc/facts'
import { Option } from 'commander'
import { ago } from '../../output/ago.ts'
import type { Configure } from '../groups.ts'
import { adminClient } from './admin-client.ts'
import { type ListFlags, listFlags, showPage } from './list-command.ts'

export const work: Configure = (group, cli) => {
  listFlags(group.command('ls').description('what is owed, the longest first'))
    .addOption(new Option('--kind <kind>', 'only this work').choices([...workKinds]))
    .option('--stuck', 'only what is owed for 10 minutes and no worker is at')
    .action(async ({ kind, stuck, limit, json }: ListFlags & { kind?: WorkKind; stuck?: true }) => {
      const admin = await adminClient(cli)
      const now = Date.now()
      await showPage(cli, { ...(json && { json }) }, admin.work({ kind, stuck, limit }), {
        columns: [
          { header: 'WORK', flexible: true },
          { header: 'SINCE' },
          { header: 'ATTEMPTS', optional: true },
          { header: 'CLAIMED BY', optional: true },
          { header: 'LAST ERROR', optional: true },
        ],
        cells: (one) => [
          one.work_id,
          ago(one.since, now),
          String(one.attempts),
          one.claimed_by,
          one.last_error,
        ],
        none: 'Nothing is owed.',
      })
    })

  group
    .command('run')
    .description('ask for a worker now')
    .argument('<work-id...>')
    .action(async (ids: string[]) => {
      const admin = await adminClient(cli)
      for (const id of ids) {
        await admin.runWork(id)
        cli.out.line(`Asked for ${id}`)
      }
    })
}
