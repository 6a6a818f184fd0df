import { OperationError, UsageError } from '../failures.ts'
import type { Env } from '../io.ts'
import { apiBase } from './api-base.ts'
import type { Config } from './config-file.ts'
import { activeHost, allHosts, findHost, type Host } from './hosts.ts'
import type { Link } from './link-file.ts'

export interface Target {
  readonly host: string
  /** The source of the host: the flag, the variable, the link file, or the active one. */
  readonly host_source: '--host' | 'SVC_API_URL' | 'link file' | 'active host'
  readonly api_url: string
  readonly token: string | null
  readonly token_source: 'SVC_CLI_TOKEN' | 'SVC_EXECUTOR_TOKEN' | 'config file' | null
  /** The address that a login by browser belongs to: its token is renewed there, and has to be asked for each time. */
  readonly login_url?: string | undefined
}

export interface TargetInput {
  readonly flag: string | undefined
  readonly env: Env
  readonly link: Link | null
  readonly config: Config
}

/**
 * Host: `--host`, the link file's, the active one; `SVC_API_URL` overrides the address unless `--host` is given.
 * Token: `SVC_CLI_TOKEN`, `SVC_EXECUTOR_TOKEN`, the host's own.
 * A link file only names a host: its address is never used, since a repository could carry one that collects tokens.
 */
export function resolveTarget({ flag, env, link, config }: TargetInput): Target {
  const override = flag === undefined && env['SVC_API_URL'] ? apiBase(env['SVC_API_URL']) : null
  const named = flag ?? link?.host ?? activeHost(config)
  const host = findHost(config, named)
  if (host === null && override === null) {
    const known = allHosts(config).map(({ name }) => name)
    if (flag !== undefined) {
      throw new UsageError(
        `there is no host ${flag}`,
        `known hosts: ${known.join(', ')}; add one with \`svc hosts add\``,
      )
    }
    throw new OperationError(
      `this folder is linked to the host ${named}, which is not known here`,
      `svc hosts add ${named} --url ${link?.host_url ?? '<url>'}, if you trust it`,
    )
  }
  const api_url = override ?? host?.api_url ?? null
  if (api_url === null) {
    throw new OperationError(`the host ${named} has no address yet`, `svc login --host ${named} --api <url>`)
  }
  const source =
    override !== null
      ? 'SVC_API_URL'
      : flag !== undefined
        ? '--host'
        : link?.host
          ? 'link file'
          : 'active host'
  return { host: named, host_source: source, api_url, ...tokenFor(env, host) }
}

function tokenFor(env: Env, host: Host | null): Pick<Target, 'token' | 'token_source' | 'login_url'> {
  for (const name of ['SVC_CLI_TOKEN', 'SVC_EXECUTOR_TOKEN'] as const) {
    const token = env[name]
    if (token) return { token, token_source: name }
  }
  if (host === null || host.token === null) return { token: null, token_source: null }
  const login_url = host.login === undefined ? undefined : (host.api_url ?? undefined)
  return { token: host.token, token_source: 'config file', login_url }
}
