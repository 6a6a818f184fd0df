import type { GitEnvironment } from '../runner/environment.ts'
import type { Credential } from '../repository.ts'
import type { CheckedRepositoryUrl } from './check-repository-url.ts'

export interface RemoteAccess {
  readonly url: string
  readonly env: GitEnvironment
  readonly config: readonly (readonly [key: string, value: string])[]
}

/** The way of one git run to a remote: one protocol, the checked addresses, the credential for that origin alone. */
export function remoteAccess(checked: CheckedRepositoryUrl, credential: Credential | null): RemoteAccess {
  const { url, protocol, host, port, addresses } = checked
  const env: Record<string, string> = { GIT_ALLOW_PROTOCOL: protocol }
  const config: [string, string][] = []
  if (protocol === 'ssh') env['GIT_SSH_COMMAND'] = sshCommand(checked)
  if (protocol === 'https' || protocol === 'http') {
    if (!addresses.includes(host)) {
      config.push(['http.curloptResolve', `${host}:${port}:${addresses.map(bracketed).join(',')}`])
    }
    if (credential !== null) {
      const basic = Buffer.from(`${credential.username}:${credential.token}`).toString('base64')
      config.push([`http.${new URL(url).origin}/.extraHeader`, `Authorization: Basic ${basic}`])
    }
  }
  return { url, env, config }
}

const bracketed = (address: string): string => (address.includes(':') ? `[${address}]` : address)

/** The host key stays known by the name; the connection goes to the checked address. */
function sshCommand({ host, addresses }: CheckedRepositoryUrl): string {
  const [address = host] = addresses
  const options = ['BatchMode=yes', 'ConnectTimeout=10', `HostKeyAlias=${host}`, `HostName=${address}`]
  return ['ssh', ...options.map((option) => `-o${option}`)].join(' ')
}
