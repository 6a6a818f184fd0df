import { findHost, withoutHost } from '../../config/hosts.ts'
import { OperationError } from '../../failures.ts'
import type { Configure } from '../groups.ts'

export const rm: Configure = (command, cli) => {
  command.argument('<name>').action(async (name: string) => {
    const config = await cli.config()
    const host = findHost(config, name)
    if (host === null) throw new OperationError(`there is no host ${name}`, '`svc hosts ls` shows them')
    await cli.saveConfig(withoutHost(config, name))
    cli.out.line(host.builtin ? `Reset ${name} (built in)` : `Removed ${name}`)
  })
}
