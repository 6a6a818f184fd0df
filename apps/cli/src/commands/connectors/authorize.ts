import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { askAggregator, begin, finish } from './sign-in.ts'

interface Flags extends JsonFlag, ProjectFlag {
  readonly personal?: true
  readonly label?: string
  readonly status?: string
}

/** The two halves of `connect` by a sign-in, for scripts: each returns at once. */
export const authorize: Configure = (command, cli) => {
  command
    .argument('<slug>')
    .option('--personal', 'your own: for your calls, and the sessions that you start yourself')
    .option('--label <text>', 'what you know it by')
    .option('--status <id>', 'how far it is; finishes it once the person signed in')
  projectFlag(jsonFlag(command)).action(async (slug: string, flags: Flags) => {
    const { client, project_id } = await cli.project(flags.project)
    const place = { client, project_id, slug }
    if (flags.status === undefined) {
      const begun = await begin(place, flags)
      if (flags.json) return cli.out.json(begun)
      cli.out.line(begun.authorization_url ?? '')
      cli.out.note(`Then: svc connectors authorize ${slug} --status ${begun.authorization_id}`)
      return
    }
    const seen = await client.projects.connectors.authorizations.get(project_id, slug, flags.status)
    const now = seen.status === 'returned' ? await finish(place, seen) : await askAggregator(place, seen)
    if (flags.json) return cli.out.json(now)
    cli.out.line(`${now.status}${now.error === null ? '' : `: ${oneLine(now.error)}`}`)
  })
}
