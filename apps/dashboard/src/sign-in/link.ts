import { createClient, isApiError, type SignedIn } from '@svc/sdk'
import type { Renewable } from './credential.ts'

const api_url = () => `${location.origin}/v1`

/** The token of a link that signs in once, as it stands behind `#`; null for every other address. */
export function linkToken(hash: string): string | null {
  const given = new URLSearchParams(hash.slice(1))
  return given.get('type') === 'magic_link' ? given.get('token') : null
}

export async function signInByLink(link_token: string, totp_code: string | undefined): Promise<Renewable> {
  const { auth } = createClient({ api_url: api_url() })
  const signed_in = await auth.verifyOtp({ type: 'magic_link', link_token, totp_code })
  return credentialOf(signed_in, crypto.getRandomValues(new Uint32Array(4)).join('-'))
}

/** Null when the refresh token is over for good. */
export async function renewSignIn({ refresh_token, id }: Renewable): Promise<Renewable | null> {
  try {
    return credentialOf(await createClient({ api_url: api_url() }).auth.refresh(refresh_token), id)
  } catch (error) {
    if (isApiError(error) && error.status === 401) return null
    throw error
  }
}

/** Takes a token that has not ended: the person who signs out may have let it end. */
export async function endSignIn(credential: Renewable): Promise<void> {
  const token = credential.expires_at > Date.now() ? credential : await renewSignIn(credential)
  if (token !== null) await createClient({ api_url: api_url(), token: token.access_token }).auth.signOut()
}

function credentialOf({ session }: SignedIn, id: string): Renewable {
  const { access_token, refresh_token, expires_in } = session
  return { kind: 'sign_in', access_token, refresh_token, expires_at: Date.now() + expires_in * 1000, id }
}
