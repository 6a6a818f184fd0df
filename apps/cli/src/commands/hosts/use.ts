import { allHosts, findHost } from '../../config/hosts.ts'
import { UsageError } from '../../failures.ts'
import { choose } from '../../output/ask.ts'
import type { Configure } from '../groups.ts'
import { noSuchHost } from './no-such-host.ts'

export const use: Configure = (command, cli) => {
  command.argument('[name]', 'asked for on a terminal when left out').action(async (given?: string) => {
    const config = await cli.config()
    const names = allHosts(config).map(({ name }) => name)
    const name = given ?? cli.host ?? (await choose(cli.io, 'Which host?', names))
    if (name === null)
      throw new UsageError('which host?', `svc hosts use <name>, one of: ${names.join(', ')}`)
    const host = findHost(config, name)
    if (host === null) throw noSuchHost(name)
    await cli.saveConfig({ ...config, active_host: name })
    cli.out.line(`Using ${name}${host.api_url === null ? '' : ` (${host.api_url})`}`)
    const link = await cli.link()
    if (link !== null && link.host !== null && link.host !== name)
      cli.out.note(`This folder is linked to ${link.host}, which goes first here`)
    if (host.token === null) cli.out.note(`Not logged in there: svc login --host ${name}`)
  })
}
