import { activeHost, findHost, withHost } from '../../config/hosts.ts'
import { UsageError } from '../../failures.ts'
import type { Configure } from '../groups.ts'

export const logout: Configure = (command, cli) => {
  command.action(async () => {
    const config = await cli.config()
    const name = cli.host ?? activeHost(config)
    const host = findHost(config, name)
    if (host === null) throw new UsageError(`there is no host ${name}`, '`svc hosts ls` shows them')
    if (host.token === null) {
      cli.out.line(`Not logged in to ${name}`)
    } else {
      await cli.saveConfig(withHost(config, name, { token: null }))
      cli.out.line(`Logged out of ${name}`)
      cli.out.note('The token itself still works; revoke it in the settings if nothing else uses it.')
    }
    const variable = ['SVC_CLI_TOKEN', 'SVC_EXECUTOR_TOKEN'].find((key) => cli.io.env[key])
    if (variable !== undefined) cli.out.note(`${variable} is set and will still be used.`)
  })
}
