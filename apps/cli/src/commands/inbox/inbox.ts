import { ago } from '../../output/ago.ts'
import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

export const inbox: Configure = (command, cli) => {
  jsonFlag(command).action(async (flags: JsonFlag) => {
    const { client } = await cli.connect()
    const page = await client.inbox.list({ limit: 200 })
    if (flags.json) return cli.out.json(page)
    if (page.items.length === 0) return cli.out.note('Nothing waits for you.')
    cli.out.table(
      [
        { header: 'KIND' },
        { header: 'PROJECT', flexible: true },
        { header: 'TITLE', flexible: true },
        { header: 'WHAT', flexible: true },
        { header: 'SINCE', optional: true },
      ],
      page.items.map((item) => [
        item.kind,
        oneLine(item.project_name ?? ''),
        oneLine(item.cr_number === null ? item.title : `#${item.cr_number} ${item.title}`),
        oneLine(item.phrase),
        ago(item.at, Date.now()),
      ]),
    )
    const more = page.counts.total - page.items.length
    if (more > 0) cli.out.note(`${more} more wait.`)
  })
}
