import type { Channel, UpdateChannelInput } from '@svc/sdk'
import { InvalidArgumentError } from 'commander'
import { UsageError } from '../../failures.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag, repeated } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { readCredentials } from './credentials.ts'
import { type RuleFlags, ruleFlags, rulesOf } from './flags.ts'

interface Flags extends JsonFlag, ProjectFlag, RuleFlags {
  readonly conversation?: Readonly<Record<string, string>>
  readonly dropConversation?: readonly string[]
  readonly credentials?: string | true
}

export const set: Configure = (command, cli) => {
  ruleFlags(command.argument('<slug>'))
    .option('--no-agent', 'the default agent of the project')
    .option(
      '--conversation <id=agent>',
      'list a conversation, with the agent of its sessions; <id>= for that of the channel; again for more',
      conversation,
    )
    .option('--drop-conversation <id>', 'list one no more; again for more', repeated)
    .option('--credentials [-]', 'new ones: - reads them from stdin as JSON; else they are asked for')
  projectFlag(jsonFlag(command)).action(async (slug: string, flags: Flags) => {
    const { client, project_id } = await cli.project(flags.project)
    const { channels } = client.projects
    const { agent, conversation: listed, dropConversation: dropped, credentials: given } = flags
    const isRead = listed !== undefined || dropped !== undefined || given !== undefined
    const before = isRead ? await channels.get(project_id, slug) : null
    const change: UpdateChannelInput = {
      ...rulesOf(flags),
      ...(agent !== undefined && { agent: agent === false ? null : agent }),
      ...(before && (listed || dropped) && { conversations: changed(before, listed, dropped) }),
    }
    if (before && given !== undefined)
      change.credentials = await readCredentials(cli.io, {
        platform: before.platform,
        given,
        line: `svc channels set ${slug}`,
        transport: before.transport,
      })
    if (Object.keys(change).length === 0)
      throw new UsageError('nothing says what to change', '`svc help channels set` lists the flags')
    const channel = await channels.update(project_id, slug, change)
    if (flags.json) return cli.out.json(channel)
    cli.out.line(`Changed ${channel.slug} (${channel.status})`)
  })
}

/** The conversations as they are to be: the API takes them whole. */
function changed(
  { conversations }: Channel,
  listed: Readonly<Record<string, string>> = {},
  dropped: readonly string[] = [],
): Channel['conversations'] {
  const next = new Map(Object.entries(conversations))
  for (const [id, agent] of Object.entries(listed)) {
    const { agent: _, ...kept } = next.get(id) ?? {}
    next.set(id, { ...kept, ...(agent !== '' && { agent }) })
  }
  for (const id of dropped) next.delete(id)
  return Object.fromEntries(next)
}

/** Collects `<id>=<agent>`. Ids of Matrix hold no `=`. */
function conversation(word: string, others: Readonly<Record<string, string>> = {}): Record<string, string> {
  const [, id, agent] = /^([^=\s]+)=(\S*)$/.exec(word) ?? []
  if (id === undefined || agent === undefined) throw new InvalidArgumentError('give it as <id>=<agent>.')
  return { ...others, [id]: agent }
}
