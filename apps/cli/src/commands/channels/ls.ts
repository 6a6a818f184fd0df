import type { Channel } from '@svc/sdk'
import { ago } from '../../output/ago.ts'
import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

export const ls: Configure = (command, cli) => {
  projectFlag(jsonFlag(command)).action(async (flags: JsonFlag & ProjectFlag) => {
    const { client, project_id } = await cli.project(flags.project)
    const channels = await client.projects.channels.list(project_id)
    if (flags.json) return cli.out.json({ channels })
    if (channels.length === 0) return cli.out.note('No channels yet: svc channels connect chat_a')
    cli.out.table(
      [
        { header: 'SLUG', flexible: true },
        { header: 'PLATFORM' },
        { header: 'STATUS' },
        { header: 'BOT', flexible: true },
        { header: 'AGENT', flexible: true },
        { header: 'RECEIVED', optional: true },
        { header: 'LAST ERROR', flexible: true, optional: true },
      ],
      channels.map((one) => [
        one.slug,
        one.platform,
        one.status,
        botOf(one),
        one.agent ?? 'the default',
        one.last_received_at === null ? 'never' : ago(one.last_received_at, Date.now()),
        oneLine(one.last_error ?? ''),
      ]),
    )
  })
}

/** The bot as the platform describes it; empty until it was asked. */
export function botOf({ identity }: Channel): string {
  return identity === null ? '' : oneLine(`${identity.name} in ${identity.tenant_name}`)
}
