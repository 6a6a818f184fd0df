/** The credential that the tab is signed in with. A pasted token is used as it is; the others are renewed and ended. */
export type Credential = { readonly kind: 'token'; readonly access_token: string } | Renewable

export interface Renewable {
  /** The source of the credential: the authorization server, or a link that signed in. */
  readonly kind: 'app' | 'sign_in'
  readonly access_token: string
  /** Works once, for the next pair. */
  readonly refresh_token: string
  /** The end of the access token, in milliseconds since 1970. */
  readonly expires_at: number
  /** The id of this sign-in, which stays when its tokens are renewed. */
  readonly id: string
}

const key = 'svc.credential'

/** Lives as long as the tab: never in an address, a cookie or a storage that other tabs read. */
export function keptCredential(): Credential | null {
  return parsed(sessionStorage.getItem(key))
}

export function keepCredential(credential: Credential | null): void {
  if (credential === null) sessionStorage.removeItem(key)
  else sessionStorage.setItem(key, JSON.stringify(credential))
}

function parsed(text: string | null): Credential | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    return isCredential(value) ? value : null
  } catch {
    return null
  }
}

function isCredential(value: unknown): value is Credential {
  if (typeof value !== 'object' || value === null || !('kind' in value && 'access_token' in value))
    return false
  if (typeof value.access_token !== 'string') return false
  if (value.kind === 'token') return true
  if (value.kind !== 'app' && value.kind !== 'sign_in') return false
  if (!('refresh_token' in value && 'expires_at' in value && 'id' in value)) return false
  const { refresh_token, expires_at, id } = value
  return typeof refresh_token === 'string' && typeof expires_at === 'number' && typeof id === 'string'
}
