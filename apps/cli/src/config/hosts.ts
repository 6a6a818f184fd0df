import { isLoopback } from '@svc/facts'
import type { StoredLogin } from '../auth/login-tokens.ts'
import type { Config, StoredHost } from './config-file.ts'

/** Hosts that exist without being added. A host without an address gets one from `hosts add` or `login --api`. */
export const builtinHosts: Readonly<Record<string, string | null>> = {
  cloud: null,
  selfhost: null,
  /** A host for people who work on the platform itself. */
  'internal-dev': null,
  'local-dev': 'http://127.0.0.1:7700/v1',
}

export const defaultHost = 'local-dev'

export interface Host {
  readonly name: string
  readonly api_url: string | null
  readonly token: string | null
  readonly login?: StoredLogin | undefined
  readonly builtin: boolean
}

export function findHost(config: Config, name: string): Host | null {
  const stored = Object.hasOwn(config.hosts, name) ? config.hosts[name] : undefined
  const builtin = Object.hasOwn(builtinHosts, name)
  if (stored === undefined && !builtin) return null
  const api_url = stored?.api_url ?? (builtin ? (builtinHosts[name] ?? null) : null)
  return { name, api_url, token: stored?.token ?? null, login: stored?.login, builtin }
}

export function allHosts(config: Config): Host[] {
  const names = new Set([...Object.keys(builtinHosts), ...Object.keys(config.hosts).sort()])
  return [...names].flatMap((name) => findHost(config, name) ?? [])
}

export function activeHost(config: Config): string {
  return config.active_host !== null && findHost(config, config.active_host) !== null
    ? config.active_host
    : defaultHost
}

export function withHost(config: Config, name: string, change: Partial<StoredHost>): Config {
  const before = config.hosts[name] ?? { api_url: null, token: null }
  return { ...config, hosts: { ...config.hosts, [name]: { ...before, ...change } } }
}

export function withoutHost(config: Config, name: string): Config {
  const { [name]: _removed, ...hosts } = config.hosts
  return { active_host: config.active_host === name ? null : config.active_host, hosts }
}

/** The name a login with only an address is kept under: the host that has it, one of this machine, or its own domain. */
export function hostNameFor(config: Config, api_url: string): string {
  const known = allHosts(config).find((host) => host.api_url === api_url)
  if (known !== undefined) return known.name
  const { hostname, host } = new URL(api_url)
  return isLoopback(hostname) ? localHostName(config, { api_url, token: null }) : host
}

/**
 * The name that a platform of this machine is kept under: the one that it has here already, by its address or its token,
 * else `local-dev`, or the port beside it when another platform is `local-dev`.
 */
export function localHostName(
  config: Config,
  { api_url, token }: Pick<StoredHost, 'token'> & { readonly api_url: string },
): string {
  const stored = Object.entries(config.hosts)
  const [known] = [
    ...stored.filter(([, host]) => host.api_url === api_url),
    ...stored.filter(([, host]) => token !== null && host.token === token),
  ]
  if (known !== undefined) return known[0]
  if (!config.hosts[defaultHost]?.token) return defaultHost
  const { port, protocol } = new URL(api_url)
  return `local-${port || (protocol === 'https:' ? 443 : 80)}`
}

export function isHostName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9.:_-]{0,127}$/.test(name) && name !== 'constructor'
}
