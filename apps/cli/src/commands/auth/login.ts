import { text } from 'node:stream/consumers'
import type { Cli } from '../../cli.ts'
import { apiBase } from '../../config/api-base.ts'
import { activeHost, findHost, hostNameFor, isHostName, withHost } from '../../config/hosts.ts'
import { OperationError, UsageError } from '../../failures.ts'
import type { Configure } from '../groups.ts'
import { identify } from './identify.ts'

interface Flags {
  readonly token?: string
  readonly api?: string
}

export const login: Configure = (command, cli) => {
  command
    .option('--token <pat>', 'a personal access token; - reads it from stdin')
    .option('--api <url>', 'address of the API, with or without /v1')
    .action((flags: Flags) => logIn(cli, { ...flags, host: cli.host }))
}

/** Checks the token with the host, keeps it, and makes the host the active one. */
export async function logIn(cli: Cli, flags: Flags & { readonly host: string | undefined }): Promise<void> {
  const config = await cli.config()
  const given = flags.api ?? (flags.host === undefined ? cli.io.env['SVC_API_URL'] : undefined)
  const address = given ? apiBase(given) : null
  const host = flags.host ?? (address === null ? activeHost(config) : hostNameFor(config, address))
  if (!isHostName(host)) throw new UsageError(`${host} is not a name for a host`)
  const api_url = address ?? findHost(config, host)?.api_url ?? null
  if (api_url === null) {
    throw new UsageError(
      `the host ${host} has no address yet`,
      `svc login --host ${host} --api <url> --token <pat>`,
    )
  }
  const token = await readToken(cli, flags.token)
  if (token === null) {
    throw new OperationError(
      `${host} (${api_url}) needs a personal access token`,
      'create one in the settings of the dashboard, then run `svc login --token <pat>`, or `--token -` to read it from stdin',
    )
  }
  const identity = await identify(cli.clientFor(api_url, token))
  await cli.saveConfig({ ...withHost(await cli.config(), host, { api_url, token }), active_host: host })
  cli.out.line(`Logged in to ${host} (${api_url}) as ${identity.words}`)
}

async function readToken(cli: Cli, given: string | undefined): Promise<string | null> {
  const token = (given === '-' ? await text(cli.io.stdin) : (given ?? '')).trim()
  if (token === '') return null
  if (/[^\x21-\x7e]/.test(token)) throw new UsageError('a token is one word of ASCII characters')
  return token
}
