import type { ChannelLink } from '@svc/sdk'
import type { Cli } from '../../cli.ts'
import { UsageError } from '../../failures.ts'
import { ago } from '../../output/ago.ts'
import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, positive, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

interface LinksFlags extends JsonFlag, ProjectFlag {
  readonly limit?: number
}

export const links: Configure = (command, cli) => {
  command
    .argument('[slug]', 'a channel, with the people of its senders')
    .option('--limit <count>', 'how many of a channel; 50 by default', positive)
  projectFlag(jsonFlag(command)).action(async (slug: string | undefined, flags: LinksFlags) => {
    const { limit } = flags
    if (slug === undefined && (limit !== undefined || flags.project !== undefined))
      throw new UsageError(
        '--limit and --project are for the links of a channel',
        'svc channels links <slug>',
      )
    const found = slug === undefined ? await mine(cli) : await ofChannel(cli, slug, flags)
    if (flags.json) return cli.out.json(found)
    if (found.links.length === 0)
      return cli.out.note('None: the bot sends a link to a person who writes to it for the first time.')
    cli.out.table(
      [
        { header: 'LINK' },
        { header: 'PLATFORM' },
        { header: 'IN', flexible: true },
        { header: 'SENDER', flexible: true },
        { header: 'ACTS AS', optional: true },
        { header: 'USED' },
      ],
      found.links.map(row),
    )
  })
}

async function mine(cli: Cli): Promise<{ readonly links: readonly ChannelLink[] }> {
  const { client } = await cli.connect()
  return { links: await client.channelLinks.list() }
}

async function ofChannel(cli: Cli, slug: string, { project, limit = 50 }: LinksFlags) {
  const { client, project_id } = await cli.project(project)
  return client.projects.channels.links(project_id, slug, { limit })
}

const row = (one: ChannelLink): string[] => [
  one.link_id,
  one.platform,
  oneLine(one.tenant),
  oneLine(one.display),
  one.user_id,
  one.last_used_at === null ? 'never' : ago(one.last_used_at, Date.now()),
]

export const unlink: Configure = (command, cli) => {
  command
    .argument('<link_id>')
    .option('--channel <slug>', 'the channel of its sender, where the link is of another person')
  projectFlag(command).action(
    async (link_id: string, { channel, project }: ProjectFlag & { readonly channel?: string }) => {
      if (channel === undefined) {
        if (project !== undefined) throw new UsageError('--project goes with --channel; give that as well')
        const { client } = await cli.connect()
        await client.channelLinks.unlink(link_id)
      } else {
        const { client, project_id } = await cli.project(project)
        await client.projects.channels.removeLink(project_id, channel, link_id)
      }
      cli.out.line(`Ended link ${link_id}`)
    },
  )
}
