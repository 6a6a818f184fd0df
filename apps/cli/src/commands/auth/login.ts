import { text } from 'node:stream/consumers'
import type { Cli } from '../../cli.ts'
import { apiBase } from '../../config/api-base.ts'
import type { StoredHost } from '../../config/config-file.ts'
import { activeHost, findHost, hostNameFor, isHostName, withHost } from '../../config/hosts.ts'
import { OperationError, UsageError } from '../../failures.ts'
import type { Configure } from '../groups.ts'
import { identify } from './identify.ts'

interface Flags {
  readonly token?: string
  readonly api?: string
  readonly device?: true
}

export const login: Configure = (command, cli) => {
  command
    .option('--token <pat>', 'a personal access token; - reads it from stdin')
    .option('--device', 'log in with the browser of another machine, by a code')
    .option('--api <url>', 'address of the API, with or without /v1')
    .action((flags: Flags) => logIn(cli, { ...flags, host: cli.host }))
}

/** Gets a token by browser unless one is given, checks it with the host, keeps it, and makes the host the active one. */
export async function logIn(cli: Cli, flags: Flags & { readonly host: string | undefined }): Promise<void> {
  const config = await cli.config()
  const given = flags.api ?? (flags.host === undefined ? cli.io.env['SVC_API_URL'] : undefined)
  const address = given ? apiBase(given) : null
  const host = flags.host ?? (address === null ? activeHost(config) : hostNameFor(config, address))
  if (!isHostName(host))
    throw new UsageError(`${host} is not a name for a host`, 'use letters, digits, ., :, _ and -')
  const api_url = address ?? findHost(config, host)?.api_url ?? null
  if (api_url === null) {
    throw new UsageError(`the host ${host} has no address yet`, `svc login --host ${host} --api <url>`)
  }
  const { token, login } = await tokensOf(cli, api_url, flags)
  const identity = await identify(cli.clientFor(api_url, token))
  await cli.saveConfig({
    ...withHost(await cli.config(), host, { api_url, token, login }),
    active_host: host,
  })
  cli.out.line(`Logged in to ${host} (${api_url}) as ${identity.words}`)
}

async function tokensOf(
  cli: Cli,
  api_url: string,
  flags: Flags,
): Promise<Pick<StoredHost, 'login'> & { token: string }> {
  if (flags.token !== undefined) return { token: await readToken(cli, flags.token), login: undefined }
  // Only this way in needs the protocol.
  const { browserLogin } = await import('../../auth/browser-login.ts')
  return browserLogin(cli, api_url, { device: flags.device === true })
}

async function readToken(cli: Cli, given: string): Promise<string> {
  const token = (given === '-' ? await text(cli.io.stdin) : given).trim()
  if (token === '')
    throw new OperationError('the token is empty', 'give it with `--token`, or `--token -` and stdin')
  if (/[^\x21-\x7e]/.test(token))
    throw new UsageError('a token is one word of ASCII characters', 'copy it alone, without quotes or blanks')
  return token
}
