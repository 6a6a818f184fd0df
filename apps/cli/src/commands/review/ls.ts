import type { ReviewItem } from '@svc/sdk'
import { Option } from 'commander'
import { ago } from '../../output/ago.ts'
import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

interface Flags extends JsonFlag, ProjectFlag {
  readonly status: ReviewItem['status'] | 'all'
}

const statuses = ['needs_you', 'changes_requested', 'approved', 'rejected', 'dismissed', 'withdrawn', 'all']

export const ls: Configure = (command, cli) => {
  const status = new Option('--status <status>', 'which ones').choices(statuses).default('needs_you')
  projectFlag(jsonFlag(command.addOption(status))).action(async (flags: Flags) => {
    const { client, project_id } = await cli.project(flags.project)
    const items: ReviewItem[] = []
    const query = { status: flags.status, limit: 200 }
    for await (const item of client.projects.reviews.list(project_id, query)) items.push(item)
    if (flags.json) return cli.out.json({ items })
    if (items.length === 0)
      return cli.out.note(
        flags.status === 'needs_you' ? 'No review item needs you.' : 'No such review items.',
      )
    cli.out.table(
      [
        { header: 'ID' },
        { header: 'TITLE', flexible: true },
        { header: 'KIND' },
        { header: 'RISK' },
        { header: 'STATUS' },
        { header: 'UPDATED', optional: true },
      ],
      items.map((item) => [
        item.review_id,
        oneLine(item.title),
        item.kind,
        item.risk,
        item.status.replace('_', ' '),
        ago(item.updated_at, Date.now()),
      ]),
    )
  })
}
