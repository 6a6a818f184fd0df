import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, pageSize, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { printFires } from './print-fires.ts'

interface Flags extends JsonFlag, ProjectFlag {
  readonly limit: number
  readonly deliveries?: true
}

export const history: Configure = (command, cli) => {
  command
    .argument('<slug>')
    .option('--limit <count>', 'how many, newest first', pageSize, 50)
    .option('--deliveries', 'what came for a webhook, instead of what fired')
  projectFlag(jsonFlag(command)).action(async (slug: string, flags: Flags) => {
    const { client, project_id } = await cli.project(flags.project)
    const { triggers } = client.projects
    const query = { limit: flags.limit }
    if (!flags.deliveries) {
      const { items: fires } = await triggers.fires(project_id, slug, query)
      if (flags.json) return cli.out.json({ fires })
      return fires.length === 0
        ? cli.out.note('It has not fired yet.')
        : printFires(cli.out, fires, { ids: true })
    }
    const { items: deliveries } = await triggers.deliveries(project_id, slug, query)
    if (flags.json) return cli.out.json({ deliveries })
    if (deliveries.length === 0) return cli.out.note('Nothing has come yet.')
    cli.out.table(
      [
        { header: 'RECEIVED' },
        { header: 'RECEIPT' },
        { header: 'VERDICT' },
        { header: 'SESSION', optional: true },
        { header: 'REASON', flexible: true },
      ],
      deliveries.map((one) => [
        one.received_at,
        one.receipt_id,
        one.verdict,
        one.session_id?.slice(0, 8) ?? '',
        oneLine(one.reason ?? ''),
      ]),
    )
  })
}
