import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { botOf } from './ls.ts'

export const show: Configure = (command, cli) => {
  projectFlag(jsonFlag(command.argument('<slug>'))).action(
    async (slug: string, flags: JsonFlag & ProjectFlag) => {
      const { client, project_id } = await cli.project(flags.project)
      const channel = await client.projects.channels.get(project_id, slug)
      if (flags.json) return cli.out.json(channel)
      const { out } = cli
      out.fields([
        ['slug', channel.slug],
        ['name', oneLine(channel.name)],
        ['platform', channel.platform],
        ['status', channel.status],
        ['error', channel.last_error && oneLine(channel.last_error)],
        ['bot', botOf(channel)],
        ['arrives by', channel.transport],
        ['Slack posts to', channel.receive_url && oneLine(channel.receive_url)],
        ...Object.entries(channel.settings)
          .filter(([key]) => key !== 'transport')
          .map(([key, value]) => [oneLine(key), oneLine(String(value))] as const),
        ['agent', channel.agent ?? 'the default of the project'],
        ['policy', channel.policy],
        ['thread replies', channel.thread_replies],
        ['nothing is sent until', channel.blocked_until],
        ['received', channel.last_received_at ?? 'never'],
        ['created', channel.created_at],
      ])
      const listed = Object.entries(channel.conversations)
      if (listed.length === 0) return
      out.line()
      out.table(
        [
          { header: 'CONVERSATION', flexible: true },
          { header: 'NAME', flexible: true },
          { header: 'AGENT' },
          { header: 'POLICY' },
        ],
        listed.map(([id, { name, agent, policy }]) => [
          oneLine(id),
          oneLine(name ?? ''),
          agent ?? '',
          policy ?? '',
        ]),
      )
    },
  )
}
