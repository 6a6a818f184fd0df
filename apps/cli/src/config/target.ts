import { OperationError, UsageError } from '../failures.ts'
import type { Env } from '../io.ts'
import { apiBase } from './api-base.ts'
import type { Config } from './config-file.ts'
import { activeHost, allHosts, findHost } from './hosts.ts'
import type { Link } from './link-file.ts'

export interface Target {
  readonly host: string
  /** Why this host: the flag, the variable, the link file, or the active one. */
  readonly host_source: '--host' | 'SVC_API_URL' | 'link file' | 'active host'
  readonly api_url: string
  readonly token: string | null
  readonly token_source: 'SVC_CLI_TOKEN' | 'SVC_EXECUTOR_TOKEN' | 'config file' | null
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
    throw new OperationError(
      `the host ${named} has no address yet`,
      `svc login --host ${named} --api <url> --token <pat>`,
    )
  }
  const source =
    override !== null
      ? 'SVC_API_URL'
      : flag !== undefined
        ? '--host'
        : link?.host
          ? 'link file'
          : 'active host'
  return { host: named, host_source: source, api_url, ...tokenFor(env, host?.token ?? null) }
}

function tokenFor(env: Env, stored: string | null): Pick<Target, 'token' | 'token_source'> {
  for (const name of ['SVC_CLI_TOKEN', 'SVC_EXECUTOR_TOKEN'] as const) {
    const token = env[name]
    if (token) return { token, token_source: name }
  }
  return stored === null
    ? { token: null, token_source: null }
    : { token: stored, token_source: 'config file' }
}
