import { apiWait, apiWaitMs } from '@svc/facts'
import { type Client, type ClientOptions, createClient, type Fetch } from '@svc/sdk'
import { configFile, type Config, readConfig, writeConfig } from './config/config-file.ts'
import { findLink, type FoundLink } from './config/link-file.ts'
import { resolveProject } from './config/project.ts'
import { resolveTarget, type Target } from './config/target.ts'
import { OperationError, UsageError } from './failures.ts'
import type { GlobalFlags } from './global-flags.ts'
import { plainFetch } from './http/plain-fetch.ts'
import type { Io } from './io.ts'
import { retryingFetch } from './retrying-fetch.ts'
import { createOutput, type Output } from './output/output.ts'
import { isProxied } from './proxy/through-proxy.ts'
import { version } from './version.ts'

export interface Connection {
  readonly target: Target
  readonly client: Client
  /** The options that the client was made with, for another one of the same target. */
  readonly options: ClientOptions
  /** The token as it is at that moment: a login by browser is renewed while a command runs. */
  token(): Promise<string>
}

/** The parts that commands are given: the process, the output, and the ways to the API. */
export interface Cli {
  readonly io: Io
  readonly out: Output
  readonly config_file: string
  /** The `--host` of this call. */
  readonly host: string | undefined
  config(): Promise<Config>
  saveConfig(config: Config): Promise<void>
  link(): Promise<FoundLink | null>
  target(): Promise<Target>
  /** A client with the token of the target; fails with the next step when there is none. */
  connect(): Promise<Connection>
  clientFor(api_url: string, token: string | null): Client
  /** The project that this call is about, by the flag, the environment or the link file. */
  project(flag: string | undefined): Promise<{ client: Client; target: Target; project_id: string }>
}

export interface CliParts {
  readonly io: Io
  /** The global flags; known once the line is parsed, which is after the commands were declared. */
  readonly flags: () => GlobalFlags
  /** Called with the target as soon as it is known, so that a failure can name it. */
  readonly onTarget: (target: Target) => void
}

/** Time of a request beyond the wait for a platform that is away. */
const requestMs = 30_000

export function createCli({ io, flags, onTarget }: CliParts): Cli {
  const config_file = configFile(io.env, io.home)
  const plain: Fetch = isProxied(io.env) ? fetch : plainFetch
  const wait_ms = waitOf(io.env)
  const onWait = (host: string) => cli.out.note(`Waiting for ${host}`)
  const fetcher = retryingFetch(plain, { wait_ms, onWait })
  const clientOf = ({ api_url }: Pick<Target, 'api_url'>) => ({
    api_url,
    user_agent: `svc-cli/${version}`,
    fetch: fetcher,
    ...(wait_ms > 0 ? { timeout_ms: wait_ms + requestMs } : {}),
  })
  let out: Output | undefined
  const cli: Cli = {
    io,
    get out() {
      return (out ??= createOutput(io, flags().color))
    },
    get host() {
      return flags().host
    },
    config_file,
    config: () => readConfig(config_file),
    saveConfig: (config) => writeConfig(config_file, config),
    link: () => findLink(io.cwd),
    async target() {
      const [config, link] = await Promise.all([cli.config(), cli.link()])
      const target = resolveTarget({ flag: cli.host, env: io.env, link, config })
      onTarget(target)
      return target
    },
    async connect() {
      const target = await cli.target()
      if (target.token === null) {
        throw new OperationError(
          `not logged in to ${target.host} (${target.api_url})`,
          `svc login --host ${target.host}`,
        )
      }
      const { token, login_url, host } = target
      if (login_url === undefined) {
        const options = { ...clientOf(target), token }
        return { target, options, client: createClient(options), token: () => Promise.resolve(token) }
      }
      const { freshToken } = await import('./auth/refresh.ts')
      const renew = () => freshToken(config_file, { host, login_url })
      const options = { ...clientOf(target), fetch: renewing(renew, fetcher) }
      const client = createClient(options)
      return { target: { ...target, token: await renew() }, options, client, token: renew }
    },
    clientFor: (api_url, token) => createClient({ ...clientOf({ api_url }), token }),
    async project(flag) {
      const [{ client, target }, link] = await Promise.all([cli.connect(), cli.link()])
      return { client, target, project_id: await resolveProject({ flag, env: io.env, link, target, client }) }
    },
  }
  return cli
}

/** In a sandbox a command that fails costs an agent its turn. */
function waitOf(env: Io['env']): number {
  const ms = apiWaitMs(env[apiWait.variable], Boolean(env['SVC_SESSION_ID']))
  if (ms !== null) return ms
  throw new UsageError(`${apiWait.variable} must be a whole number from 0 to ${apiWait.max_seconds}`)
}

/** Each request with a token that lives: a chat may go on for longer than one does. */
function renewing(renew: () => Promise<string>, send: Fetch): Fetch {
  return async (url, init) =>
    send(url, { ...init, headers: { ...init.headers, authorization: `Bearer ${await renew()}` } })
}
