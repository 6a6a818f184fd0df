import type { ChangeRequest } from '@svc/sdk'
import { Option } from 'commander'
import { ago } from '../../output/ago.ts'
import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

interface Flags extends JsonFlag, ProjectFlag {
  readonly status: ChangeRequest['status'] | 'all'
}

export const ls: Configure = (command, cli) => {
  const status = new Option('--status <status>', 'which ones')
    .choices(['open', 'merged', 'closed', 'all'])
    .default('open')
  projectFlag(jsonFlag(command.addOption(status))).action(async (flags: Flags) => {
    const { client, project_id } = await cli.project(flags.project)
    const change_requests: ChangeRequest[] = []
    const query = { status: flags.status, limit: 200 }
    for await (const cr of client.projects.changeRequests.list(project_id, query)) change_requests.push(cr)
    if (flags.json) return cli.out.json({ change_requests })
    if (change_requests.length === 0) {
      return cli.out.note(
        flags.status === 'all' ? 'No change requests yet.' : `No ${flags.status} change requests.`,
      )
    }
    cli.out.table(
      [
        { header: '#' },
        { header: 'TITLE', flexible: true },
        { header: 'HEAD', flexible: true },
        { header: 'BASE', flexible: true },
        { header: 'STATUS' },
        { header: 'UPDATED' },
      ],
      change_requests.map((cr) => [
        `#${cr.number}`,
        oneLine(cr.title),
        oneLine(cr.head_ref),
        oneLine(cr.base_ref),
        cr.status,
        ago(cr.updated_at, Date.now()),
      ]),
    )
  })
}
