import {
  channelPlatforms,
  type ChannelPlatform,
  chosenTransports,
  type ChosenTransport,
} from '@svc/channel/states'
import type { Channel, ConnectChannelInput } from '@svc/sdk'
import { Argument, Option } from 'commander'
import type { Cli } from '../../cli.ts'
import { UsageError } from '../../failures.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { type Credentials, readCredentials } from './credentials.ts'
import { type RuleFlags, ruleFlags, rulesOf } from './flags.ts'
import { botOf } from './ls.ts'

interface Flags extends JsonFlag, ProjectFlag, RuleFlags {
  readonly slug?: string
  readonly credentials?: string
  readonly transport?: ChosenTransport
  readonly apiUrl?: string
  readonly homeserver?: string
  readonly local?: string
  readonly address?: string
  readonly authserv?: string
}

export const connect: Configure = (command, cli) => {
  command
    .addArgument(
      new Argument('<platform>', 'chat_a is Slack, chat_b is Matrix, email is mail').choices(
        channelPlatforms,
      ),
    )
    .option('--slug <slug>', 'of a connector in svc.yaml; else svc_ and the platform')
  ruleFlags(command)
    .addOption(new Option('--transport <way>', 'chat_a: how messages arrive').choices(chosenTransports))
    .option('--api-url <url>', 'chat_a: another address than Slack’s own')
    .option('--homeserver <url>', 'chat_b: the address of the homeserver')
    .option('--local <name>', 'email: the part of its address before the @')
    .option('--address <address>', 'email: the address of the mailbox, where its user is none')
    .option('--authserv <name>', 'email: the server whose Authentication-Results are believed')
    .option('--credentials <->', '- reads them from stdin as JSON; else they are asked for')
  projectFlag(jsonFlag(command)).action(async (platform: ChannelPlatform, flags: Flags) => {
    refuseMisuse(platform, flags)
    const { client, project_id } = await cli.project(flags.project)
    const credentials = await readCredentials(cli.io, {
      platform,
      given: flags.credentials,
      line: `svc channels connect ${platform}`,
      transport: flags.transport,
    })
    const input = inputOf(platform, flags, credentials)
    const channel = await client.projects.channels.connect(project_id, input)
    if (flags.json) return cli.out.json(channel)
    const bot = botOf(channel)
    cli.out.line(`Connected ${channel.slug}${bot === '' ? '' : ` as ${bot}`} (${channel.status})`)
    showReceiving(cli, channel)
  })
}

const platformFlags = [
  ['transport', '--transport', 'chat_a'],
  ['apiUrl', '--api-url', 'chat_a'],
  ['homeserver', '--homeserver', 'chat_b'],
  ['local', '--local', 'email'],
  ['address', '--address', 'email'],
  ['authserv', '--authserv', 'email'],
] as const

function refuseMisuse(platform: ChannelPlatform, flags: Flags): void {
  const next = '`svc help channels connect` says which flag is for which platform'
  for (const [name, flag, owner] of platformFlags)
    if (flags[name] !== undefined && owner !== platform)
      throw new UsageError(`${flag} is for ${owner}, not for ${platform}`, next)
  if (platform === 'chat_b' && flags.homeserver === undefined)
    throw new UsageError('chat_b needs --homeserver, the address of the homeserver', next)
}

function inputOf(platform: ChannelPlatform, flags: Flags, credentials: Credentials): ConnectChannelInput {
  const { slug, agent, transport, apiUrl: api_url, homeserver, local, address, authserv } = flags
  const settings = {
    ...(transport && { transport }),
    ...(api_url !== undefined && { api_url }),
    ...(homeserver !== undefined && { homeserver_url: homeserver }),
    ...(local !== undefined && { local }),
    ...(address !== undefined && { address }),
    ...(authserv !== undefined && { authserv_id: authserv }),
  }
  return asInput({
    platform,
    ...(slug !== undefined && { slug }),
    ...(agent && { agent }),
    ...rulesOf(flags),
    credentials,
    ...(Object.keys(settings).length > 0 && { settings }),
  })
}

/** The flags and the credentials are those of the platform; the API judges their values. */
const asInput = (input: object) => input as ConnectChannelInput

function showReceiving({ out }: Cli, { slug, receive_url, platform }: Channel): void {
  if (platform === 'email')
    return out.note(`Write to that address; whether it works: svc channels test ${slug}`)
  if (receive_url === null) return out.note(`Whether it works: svc channels test ${slug}`)
  out.line(receive_url)
  for (const line of [
    'Paste the line above into the settings of your Slack app (api.slack.com/apps), twice:',
    '  Event Subscriptions > Request URL',
    '    and subscribe to the bot events app_mention, message.channels, message.groups, message.im, message.mpim',
    '  Interactivity & Shortcuts > Request URL',
    `Then: svc channels test ${slug}`,
  ])
    out.note(line)
}
