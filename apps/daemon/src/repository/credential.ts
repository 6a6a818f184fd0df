import type { CloneCredential } from '../platform/platform-api.ts'

/** The place that git wants a credential for, as it says in `key=value` lines. */
export interface CredentialRequest {
  readonly protocol: string
  readonly host: string
  readonly path: string
}

export function parseCredentialRequest(text: string): CredentialRequest {
  const fields = new Map<string, string>()
  for (const line of text.split('\n')) {
    const at = line.indexOf('=')
    if (at > 0) fields.set(line.slice(0, at), line.slice(at + 1))
  }
  return {
    protocol: fields.get('protocol') ?? '',
    host: fields.get('host') ?? '',
    path: fields.get('path') ?? '',
  }
}

const plainPath = (path: string): string => path.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '')

/** The repository itself or something below it, such as its large files; never another one on the same host. */
export function isFor(repo_url: string, request: CredentialRequest): boolean {
  let url: URL
  try {
    url = new URL(repo_url)
  } catch {
    return false
  }
  const repository = plainPath(decode(url.pathname))
  const asked = plainPath(decode(request.path))
  if (asked.split('/').includes('..')) return false
  return (
    request.protocol === url.protocol.replace(/:$/, '') &&
    request.host === url.host &&
    (asked === repository || asked.startsWith(`${repository}/`) || asked.startsWith(`${repository}.git/`))
  )
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Git's answer format; nothing at all for a place that the credential does not belong to. */
export function credentialAnswer(credential: CloneCredential, request: CredentialRequest): string {
  const { auth, repo_url } = credential
  if (auth === null || !isFor(repo_url, request)) return ''
  if (/[\n\0]/.test(auth.username + auth.token)) return ''
  return `username=${auth.username}\npassword=${auth.token}\n`
}
