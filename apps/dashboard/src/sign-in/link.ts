import { createClient, type PasswordInput } from '@svc/sdk'

const auth = () => createClient({ api_url: `${location.origin}/v1` }).auth

/** The token of a link that signs in once, as it stands behind `#`; null for every other address. */
export function linkToken(hash: string): string | null {
  const given = new URLSearchParams(hash.slice(1))
  return given.get('type') === 'magic_link' ? given.get('token') : null
}

/** Each way of a person to sign in gives an access token, which is exchanged at once. */
export async function signInByLink(link_token: string, totp_code: string | undefined): Promise<string> {
  return (await auth().verifyOtp({ type: 'magic_link', link_token, totp_code })).session.access_token
}

export async function signInByPassword(input: PasswordInput): Promise<string> {
  return (await auth().signInWithPassword(input)).session.access_token
}

/** The code that was mailed to a new address. */
export async function signInByCode(email: string, token: string): Promise<string> {
  return (await auth().verifyOtp({ type: 'signup', email, token })).session.access_token
}
