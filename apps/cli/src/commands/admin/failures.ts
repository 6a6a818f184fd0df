import { ago } from '../../output/ago.ts'
import { oneLine } from '../../output/plain.ts'
import type { Configure } from '../groups.ts'
import { adminClient } from './admin-client.ts'
import { type ListFlags, listFlags, showPage } from './list-command.ts'

export const failures: Configure = (group, cli) => {
  listFlags(group.command('ls').description('the newest first'))
    .option('--queue <name>', 'only those of this queue')
    .option('--job <name>', 'only this job, such as sandbox.provision')
    .action(async ({ json, ...query }: ListFlags & { queue?: string; job?: string }) => {
      const admin = await adminClient(cli)
      const now = Date.now()
      await showPage(cli, { ...(json && { json }) }, admin.failures(query), {
        columns: [
          { header: 'FAILED' },
          { header: 'JOB' },
          { header: 'ATTEMPTS', optional: true },
          { header: 'RESOLVED', optional: true },
          { header: 'ID' },
          { header: 'ERROR', flexible: true },
        ],
        cells: (one) => [
          ago(one.failed_at, now),
          one.job,
          String(one.attempts),
          one.resolved_at && ago(one.resolved_at, now),
          one.failure_id,
          oneLine(one.error),
        ],
        none: 'No job has failed.',
      })
    })

  group
    .command('retry')
    .description('ask for failed jobs again')
    .argument('<failure-id...>')
    .action(async (ids: string[]) => {
      const admin = await adminClient(cli)
      for (const id of ids) {
        await admin.retryFailure(id)
        cli.out.line(`Asked for ${id}`)
      }
    })
}
