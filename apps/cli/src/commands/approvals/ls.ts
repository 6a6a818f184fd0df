import type { Approval } from '@svc/sdk'
import { Option } from 'commander'
import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

interface Flags extends JsonFlag, ProjectFlag {
  readonly status: Approval['status'] | 'all'
}

const statuses = ['pending', 'approved', 'denied', 'expired', 'cancelled', 'all']

export const ls: Configure = (command, cli) => {
  const status = new Option('--status <status>', 'which ones').choices(statuses).default('pending')
  projectFlag(jsonFlag(command.addOption(status))).action(async (flags: Flags) => {
    const { client, project_id } = await cli.project(flags.project)
    const query = flags.status === 'all' ? {} : { status: flags.status }
    const approvals = await client.projects.approvals.list(project_id, query)
    if (flags.json) return cli.out.json({ approvals })
    if (approvals.length === 0)
      return cli.out.note(flags.status === 'pending' ? 'No call waits for a person.' : 'No such calls.')
    cli.out.table(
      [
        { header: 'CALL' },
        { header: 'ACTION', flexible: true },
        { header: 'RISK' },
        { header: 'STATUS' },
        { header: 'SESSION', optional: true },
        { header: 'EXPIRES' },
      ],
      approvals.map((one) => [
        one.call_id,
        oneLine(`${one.connector}.${one.action}`),
        one.risk,
        one.status,
        one.session_id?.slice(0, 8) ?? '',
        one.expires_at,
      ]),
    )
  })
}
