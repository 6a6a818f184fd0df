import type { ConnectorCall, ListConnectorCallsQuery } from '@svc/sdk'
import { ago } from '../../output/ago.ts'
import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, positive, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

interface Flags extends JsonFlag, ProjectFlag {
  readonly connector?: string
  readonly session?: string
  readonly status?: ConnectorCall['status']
  readonly limit: number
}

export const log: Configure = (command, cli) => {
  command
    .option('--connector <slug>', 'only of this connector')
    .option('--session <id>', 'only of this session')
    .option('--status <status>', 'only in this state, such as unknown')
    .option('--limit <count>', 'how many', positive, 50)
  projectFlag(jsonFlag(command)).action(async (flags: Flags) => {
    const { client, project_id } = await cli.project(flags.project)
    const query: ListConnectorCallsQuery = {
      limit: flags.limit,
      connector: flags.connector,
      session_id: flags.session,
      status: flags.status,
    }
    const { items: calls } = await client.projects.connectorCalls.list(project_id, query)
    if (flags.json) return cli.out.json({ calls })
    if (calls.length === 0) return cli.out.note('No such calls.')
    cli.out.table(
      [
        { header: 'CALL' },
        { header: 'ACTION', flexible: true },
        { header: 'RISK', optional: true },
        { header: 'STATUS' },
        { header: 'REASON', flexible: true },
        { header: 'BY', optional: true },
        { header: 'MS', optional: true },
        { header: 'AT' },
      ],
      calls.map((one) => [
        one.call_id,
        oneLine(`${one.connector}.${one.action}`),
        one.risk,
        one.status.replace('_', ' '),
        one.reason ?? '',
        one.session_id === null ? one.actor.type : `session ${one.session_id.slice(0, 8)}`,
        one.ms === null ? '' : String(one.ms),
        ago(one.created_at, Date.now()),
      ]),
    )
  })
}
