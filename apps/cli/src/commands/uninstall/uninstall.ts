import { rm, rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Cli } from '../../cli.ts'
import type { Config } from '../../config/config-file.ts'
import { seenHeadsFile } from '../../config/seen-heads.ts'
import { UsageError } from '../../failures.ts'
import { ask, canAsk } from '../../output/ask.ts'
import { findCheckout } from '../../self-host/checkout.ts'
import type { Configure } from '../groups.ts'

interface Flags {
  readonly keepHome?: true
  readonly keepAuth?: true
  readonly yes?: true
}

export const uninstall: Configure = (command, cli) => {
  command
    .option('--keep-home', 'keep the hosts that you added, without their logins')
    .option('--keep-auth', 'keep the logins, and the hosts that they are for')
    .option('--yes', 'do not ask')
    .action((flags: Flags) => remove(cli, flags))
}

/** Removes the data that svc keeps of its user. The platform's data and the checkout are left to their owner. */
async function remove(cli: Cli, flags: Flags): Promise<void> {
  const config = await cli.config()
  await confirm(cli, flags)
  const kept = remaining(config, flags)
  if (!flags.keepAuth) await endLogins(config)
  await rm(seenHeadsFile(cli.config_file), { force: true })
  if (kept === null) {
    await rm(cli.config_file, { force: true })
    // A folder that holds something else stays.
    await rmdir(dirname(cli.config_file)).catch(() => undefined)
    cli.out.line(`Removed ${cli.config_file}`)
  } else {
    await cli.saveConfig(kept)
    cli.out.line(`Kept in ${cli.config_file}: ${Object.keys(kept.hosts).join(', ') || 'nothing'}`)
  }
  const checkout = await findCheckout()
  cli.out.note(
    checkout === null
      ? 'The command itself: remove the folder that it was copied to.'
      : `The command and the platform's data are in ${checkout}: remove that folder when nothing in it is needed.`,
  )
}

async function confirm({ io, config_file }: Cli, { yes, keepHome, keepAuth }: Flags): Promise<void> {
  if (yes) return
  if (!canAsk(io)) throw new UsageError('uninstall asks at a terminal', 'svc uninstall --yes')
  const what = keepAuth ? 'hosts without a login' : keepHome ? 'logins' : 'hosts and logins'
  const answer = await ask(io, `Remove your ${what} from ${config_file}? [y/N] `)
  if (!/^y(es)?$/i.test(answer?.trim() ?? '')) throw new UsageError('nothing was removed')
}

/** Null when nothing is to stay. */
function remaining(config: Config, { keepHome, keepAuth }: Flags): Config | null {
  if (keepHome && keepAuth) return config
  const hosts = Object.entries(config.hosts)
  if (keepHome) {
    return {
      ...config,
      hosts: Object.fromEntries(
        hosts.map(([name, { api_url }]) => [name, { api_url, token: null, login: undefined }]),
      ),
    }
  }
  if (keepAuth)
    return { ...config, hosts: Object.fromEntries(hosts.filter(([, { token }]) => token !== null)) }
  return null
}

/** Logins by browser end at the platform as well, where it can be told. */
async function endLogins(config: Config): Promise<void> {
  for (const { api_url, login } of Object.values(config.hosts)) {
    if (api_url === null || login === undefined) continue
    const { revokeLogin } = await import('../../auth/refresh.ts')
    await revokeLogin(api_url, login.refresh_token).catch(() => false)
  }
}
