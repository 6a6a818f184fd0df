import type { ChannelLinkPreview } from '@svc/sdk'
import type { Cli } from '../../cli.ts'
import { OperationError, UsageError } from '../../failures.ts'
import { ask, canAsk } from '../../output/ask.ts'
import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

interface Flags extends JsonFlag {
  readonly yes?: true
}

export const link: Configure = (command, cli) => {
  jsonFlag(command.argument('<token>', 'of the link that the bot sent, or the whole link'))
    .option('--yes', 'do not ask')
    .action(async (given: string, flags: Flags) => {
      const token = tokenOf(given)
      if (!flags.yes && !canAsk(cli.io))
        throw new UsageError('there is no terminal to ask on', 'svc channels link <token> --yes')
      const { client } = await cli.connect()
      await confirm(cli, await client.channelLinks.preview(token), flags)
      const made = await client.channelLinks.link(token)
      if (flags.json) return cli.out.json(made)
      cli.out.line(`Linked ${oneLine(made.display)}  ${made.link_id}`)
    })
}

/** The link of the dashboard holds the token behind `#token=`. */
const tokenOf = (given: string): string => /#token=([^&#]+)$/.exec(given)?.[1] ?? given

async function confirm({ io, out }: Cli, preview: ChannelLinkPreview, { yes }: Flags): Promise<void> {
  const { platform, tenant, display, project } = preview
  out.note(
    `${oneLine(display)} of ${oneLine(tenant)} (${platform}), who wrote in ${oneLine(project.name)}, will act with your rights, in every project of its account.`,
  )
  if (yes) return
  const answer = await ask(io, 'Is that you? [y/N] ')
  if (!/^y(es)?$/i.test(answer?.trim() ?? '')) throw new OperationError('nothing was linked')
}
