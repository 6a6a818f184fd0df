import { ago } from '../../output/ago.ts'
import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, positive, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

interface Flags extends JsonFlag, ProjectFlag {
  readonly limit: number
}

export const threads: Configure = (command, cli) => {
  command.argument('<slug>').option('--limit <count>', 'how many', positive, 50)
  projectFlag(jsonFlag(command)).action(async (slug: string, flags: Flags) => {
    const { client, project_id } = await cli.project(flags.project)
    const page = await client.projects.channels.threads(project_id, slug, { limit: flags.limit })
    if (flags.json) return cli.out.json(page)
    if (page.threads.length === 0) return cli.out.note('No threads yet: mention the bot in a conversation.')
    cli.out.table(
      [
        { header: 'THREAD' },
        { header: 'SESSION' },
        { header: 'TITLE', flexible: true },
        { header: 'BEGAN', flexible: true },
        { header: 'AGENT', optional: true },
        { header: 'POLICY', optional: true },
        { header: 'CREATED' },
        { header: 'AT THE PLATFORM', flexible: true, optional: true },
      ],
      page.threads.map((one) => [
        one.thread_id,
        one.session_id ?? '',
        oneLine(one.title ?? ''),
        oneLine(one.owner?.display ?? ''),
        one.agent ?? '',
        one.policy,
        ago(one.created_at, Date.now()),
        oneLine(one.external_key),
      ]),
    )
  })
}
