import { createClient, type PasswordInput } from '@svc/sdk'

const auth = () => createClient({ api_url: `${location.origin}/v1` }).auth

/** The token of a link that signs in once, as it stands behind `#`; null for every other address. */
export function linkToken(hash: string): string | null {
  return tokenOf(hash, 'magic_link')
}

/** The token of a link that sets a new password. */
export function recoveryToken(hash: string): string | null {
  return tokenOf(hash, 'recovery')
}

function tokenOf(hash: string, type: string): string | null {
  const given = new URLSearchParams(hash.slice(1))
  return given.get('type') === type ? given.get('token') : null
}

/** Each way of a person to sign in gives an access token, which is exchanged at once. */
export async function signInByLink(link_token: string, totp_code: string | undefined): Promise<string> {
  return (await auth().verifyOtp({ type: 'magic_link', link_token, totp_code })).session.access_token
}

export async function signInByPassword(input: PasswordInput): Promise<string> {
  return (await auth().signInWithPassword(input)).session.access_token
}

/** Has a code mailed with which a new password is set. The answer tells nothing about the address. */
export async function askForReset(email: string): Promise<void> {
  await auth().resetPassword({ email })
}

/** The address and the mailed code, or the token of the mailed link. */
export type ResetProof = { readonly email: string; readonly token: string } | { readonly link_token: string }

export async function signInByReset(
  proof: ResetProof,
  password: string,
  totp_code: string | undefined,
): Promise<string> {
  const { session } = await auth().resetPassword({ ...proof, password, totp_code })
  if (session === null) throw new Error('The platform set no password; ask for another code.')
  return session.access_token
}

/** The code that was mailed to a new address. */
export async function signInByCode(email: string, token: string): Promise<string> {
  return (await auth().verifyOtp({ type: 'signup', email, token })).session.access_token
}
