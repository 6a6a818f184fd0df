import type { ListAllSessionsQuery, SessionWork } from '@svc/sdk/admin'
import { Option } from 'commander'
import { ago } from '../../output/ago.ts'
import { oneLine } from '../../output/plain.ts'
import type { Configure } from '../groups.ts'
import { adminClient } from './admin-client.ts'
import { type ListFlags, listFlags, showPage } from './list-command.ts'

const statuses = ['provisioning', 'running', 'stopped', 'failed'] as const
const works: readonly SessionWork[] = ['provision', 'deliver', 'stop', 'destroy', 'check']

interface Filter {
  readonly status?: ListAllSessionsQuery['status']
  readonly account?: string
  readonly project?: string
  readonly agent?: string
  readonly machine?: string
}

export const sessions: Configure = (group, cli) => {
  listFlags(group.command('ls').description('the newest first'))
    .argument('[query]', 'an id, external id, branch, project’s slug or part of the name')
    .addOption(new Option('--status <status>').choices(statuses))
    .option('--account <id>', 'only those of this account')
    .option('--project <id>', 'only those of this project')
    .option('--agent <name>', 'only those of this agent')
    .option('--machine <name>', 'only those whose sandbox is on this machine')
    .action(async (q: string | undefined, flags: ListFlags & Filter) => {
      const { json, account: account_id, project: project_id, ...query } = flags
      const admin = await adminClient(cli)
      const now = Date.now()
      await showPage(
        cli,
        { ...(json && { json }) },
        admin.sessions({ q, account_id, project_id, ...query }),
        {
          columns: [
            { header: 'SESSION' },
            { header: 'STATUS' },
            { header: 'ACCOUNT', optional: true },
            { header: 'PROJECT' },
            { header: 'MACHINE', optional: true },
            { header: 'CREATED', optional: true },
            { header: 'NAME', flexible: true },
          ],
          cells: (one) => [
            one.session_id,
            one.status,
            oneLine(one.account_name),
            one.project_slug,
            one.machine,
            ago(one.created_at, now),
            one.name && oneLine(one.name),
          ],
          none: 'No such sessions.',
        },
      )
    })

  group
    .command('rerun')
    .description('ask a worker for work that a session owes')
    .argument('<session-id>')
    .addArgument(group.createArgument('<work>', 'what it owes').choices(works))
    .action(async (session_id: string, work: SessionWork) => {
      await (await adminClient(cli)).rerunSession(session_id, work)
      cli.out.line(`Asked for ${work} of ${session_id}`)
    })
}
