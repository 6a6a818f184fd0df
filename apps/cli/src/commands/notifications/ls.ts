import { ago } from '../../output/ago.ts'
import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, positive } from '../flags.ts'
import type { Configure } from '../groups.ts'

interface Flags extends JsonFlag {
  readonly unread?: boolean
  readonly limit: number
}

export const ls: Configure = (command, cli) => {
  command
    .option('--unread', 'those alone that are unread')
    .option('--limit <count>', 'how many', positive, 50)
  jsonFlag(command).action(async ({ unread, limit, json }: Flags) => {
    const { client } = await cli.connect()
    const page = await client.notifications.list({ limit, ...(unread && { unread: 'true' }) })
    if (json) return cli.out.json(page)
    if (page.notifications.length === 0)
      return cli.out.note(unread ? 'Nothing is unread.' : 'You were told nothing yet.')
    cli.out.table(
      [
        { header: 'NOTIFICATION', optional: true },
        { header: 'KIND' },
        { header: 'TITLE', flexible: true },
        { header: 'TEXT', flexible: true },
        { header: 'SINCE' },
        { header: 'READ' },
      ],
      page.notifications.map((one) => [
        one.notification_id,
        one.kind,
        oneLine(one.title),
        oneLine(one.text),
        ago(one.created_at, Date.now()),
        one.read_at === null ? 'no' : 'yes',
      ]),
    )
    if (page.unread_count > 0)
      cli.out.note(`${page.unread_count} unread; svc notifications read --all marks them.`)
  })
}
