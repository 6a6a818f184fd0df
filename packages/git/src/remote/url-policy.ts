import { ServiceError } from '@svc/errors'

export interface RepositoryAllowance {
  readonly http?: boolean
  readonly file?: boolean
  readonly ssh?: boolean
  /** True for every private address, or the CIDR ranges that the operator allows. */
  readonly private_addresses?: boolean | readonly string[]
}

export type RepositoryProtocol = 'https' | 'http' | 'ssh' | 'file'

export interface ParsedRepositoryUrl {
  /** The URL in the standard's spelling, as git gets it. */
  readonly url: string
  readonly protocol: RepositoryProtocol
  readonly host: string
  readonly port: number
}

const defaultPorts = { https: 443, http: 80, ssh: 22, file: 0 } as const

const refuse = (message: string): never => {
  throw new ServiceError('repository_not_allowed', message)
}

/** The form of a repository's address and its protocol; says nothing about where the host's name leads. */
export function parseRepositoryUrl(text: string, allow: RepositoryAllowance): ParsedRepositoryUrl {
  if (/[\u0000-\u0020\u007f\\]/.test(text))
    refuse('The repository URL holds spaces or control characters; leave them out.')
  if (!URL.canParse(text)) refuse('Give the repository as a URL, for example https://host/owner/name.git.')
  const url = new URL(text)
  const protocol = protocolOf(url, allow)
  const { username, password, hostname, hash } = url
  if (password !== '' || (protocol !== 'ssh' && username !== '')) {
    refuse('A repository URL holds no user name or password; give them as the credential.')
  }
  if (hash !== '') refuse('The repository URL has a part after #; leave it out.')
  if (protocol === 'file' && hostname !== '') refuse('The file URL has a host; write file:/// and the path.')
  if (protocol !== 'file' && !/^(\[[0-9a-f:.]+\]|[a-z0-9]([a-z0-9._-]*[a-z0-9])?\.?)$/i.test(hostname)) {
    refuse('The host name of the repository URL is not valid; copy the URL from its host.')
  }
  if (protocol === 'ssh' && !/^[a-z0-9_]?[a-z0-9._-]*$/i.test(username))
    refuse('The ssh user is not valid; hosts have git@ there.')
  const port = url.port === '' ? defaultPorts[protocol] : Number(url.port)
  const host = protocol === 'ssh' ? webHost(hostname) : hostname
  return { url: url.href, protocol, host: host.replace(/^\[|\]$/g, ''), port }
}

/** The URL standard reads numbers as addresses (0x7f.1 is 127.0.0.1) in web addresses only; ssh would do so later. */
function webHost(hostname: string): string {
  const web = `http://${hostname}`
  return URL.canParse(web)
    ? new URL(web).hostname
    : refuse('The host name of the repository URL is not valid; copy the URL from its host.')
}

function protocolOf(url: URL, allow: RepositoryAllowance): RepositoryProtocol {
  if (url.protocol === 'https:') return 'https'
  if (url.protocol === 'http:' && allow.http) return 'http'
  if (url.protocol === 'ssh:' && allow.ssh) return 'ssh'
  if (url.protocol === 'file:' && allow.file) return 'file'
  return refuse(`Repositories at ${url.protocol}// addresses are not allowed here; use https://.`)
}
