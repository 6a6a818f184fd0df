import { apiBase } from '../../config/api-base.ts'
import { findHost, isHostName, withHost } from '../../config/hosts.ts'
import { OperationError, UsageError } from '../../failures.ts'
import { logIn } from '../auth/login.ts'
import type { Configure } from '../groups.ts'

interface Flags {
  readonly url: string
  readonly login?: true
  readonly token?: string
}

export const add: Configure = (command, cli) => {
  command
    .argument('<name>')
    .requiredOption('--url <url>', 'origin of the platform, with or without /v1')
    .option('--login', 'log in as well')
    .option('--token <pat>', 'the token to log in with; - reads it from stdin')
    .action(async (name: string, flags: Flags) => {
      if (!isHostName(name))
        throw new UsageError(`${name} is not a name for a host`, 'use letters, digits, ., :, _ and -')
      const api_url = apiBase(flags.url)
      const config = await cli.config()
      const known = findHost(config, name)
      // A token must not travel to a new address under an old name.
      if (known?.token && known.api_url !== api_url) {
        throw new OperationError(
          `${name} exists with another address (${known.api_url ?? 'none'})`,
          `svc hosts rm ${name}, then add it again`,
        )
      }
      await cli.saveConfig(withHost(config, name, { api_url }))
      cli.out.line(`Added ${name} (${api_url})`)
      if (flags.login || flags.token !== undefined) await logIn(cli, { ...flags, host: name })
    })
}
