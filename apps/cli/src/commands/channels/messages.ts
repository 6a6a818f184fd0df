import { messageStates, type MessageState } from '@svc/channel/states'
import { Option } from 'commander'
import { ago } from '../../output/ago.ts'
import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, positive, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

interface Flags extends JsonFlag, ProjectFlag {
  readonly state?: MessageState
  readonly limit: number
}

export const messages: Configure = (command, cli) => {
  command
    .argument('<slug>')
    .addOption(new Option('--state <state>', 'only those in this one').choices(messageStates))
    .option('--limit <count>', 'how many', positive, 50)
  projectFlag(jsonFlag(command)).action(async (slug: string, flags: Flags) => {
    const { client, project_id } = await cli.project(flags.project)
    const page = await client.projects.channels.messages(project_id, slug, {
      limit: flags.limit,
      state: flags.state,
    })
    if (flags.json) return cli.out.json(page)
    if (page.messages.length === 0) return cli.out.note('Nothing was sent.')
    cli.out.table(
      [
        { header: 'MESSAGE' },
        { header: 'THREAD', optional: true },
        { header: 'KIND' },
        { header: 'STATE' },
        { header: 'EDITS', optional: true },
        { header: 'CREATED' },
        { header: 'ERROR', flexible: true },
      ],
      page.messages.map((one) => [
        one.message_id,
        one.thread_id ?? '',
        one.kind,
        one.state,
        String(one.revision),
        ago(one.created_at, Date.now()),
        oneLine(one.error ?? ''),
      ]),
    )
  })
}
