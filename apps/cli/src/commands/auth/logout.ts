import { activeHost, findHost, withHost } from '../../config/hosts.ts'
import type { StoredLogin } from '../../auth/login-tokens.ts'
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
      await cli.saveConfig(withHost(config, name, { token: null, login: undefined }))
      const ended =
        host.login !== undefined && host.api_url !== null && (await revoked(host.api_url, host.login))
      cli.out.line(`Logged out of ${name}`)
      if (!ended) cli.out.note(stillWorks(host.login !== undefined))
    }
    const variable = ['SVC_CLI_TOKEN', 'SVC_EXECUTOR_TOKEN'].find((key) => cli.io.env[key])
    if (variable !== undefined) cli.out.note(`${variable} is set and will still be used.`)
  })
}

async function revoked(api_url: string, { refresh_token }: StoredLogin): Promise<boolean> {
  const { revokeLogin } = await import('../../auth/refresh.ts')
  return revokeLogin(api_url, refresh_token)
}

function stillWorks(by_browser: boolean): string {
  return by_browser
    ? 'The platform could not be reached: the login that was stored here stays valid there until it expires.'
    : 'The token itself still works. To end it, log in again: `svc tokens ls`, then `svc tokens revoke <id>`.'
}
