import { findHost, withoutHost } from '../../config/hosts.ts'
import type { Configure } from '../groups.ts'
import { noSuchHost } from './no-such-host.ts'

export const rm: Configure = (command, cli) => {
  command.argument('<name>').action(async (name: string) => {
    const config = await cli.config()
    const host = findHost(config, name)
    if (host === null) throw noSuchHost(name)
    await cli.saveConfig(withoutHost(config, name))
    cli.out.line(host.builtin ? `Reset ${name} (built in)` : `Removed ${name}`)
  })
}
