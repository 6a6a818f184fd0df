import { takeSignInRequest } from './sign-in-request.ts'
import { finishSignIn } from './authorization.ts'
import { type Credential, keepCredential, keptCredential } from './credential.ts'
import { linkToken } from './link.ts'
import { holdSignIn } from './one-tab.ts'
import { answersAt, returnPath } from './return-path.ts'

/** The state that a page begins with when it is opened. */
export interface Beginning {
  readonly credential: Credential | null
  /**
   * The token of a link that signs in once, which waits until the person presses the button: mail scanners open links.
   */
  readonly link_token: string | null
  readonly problem: unknown
}

const signedOut: Beginning = { credential: null, link_token: null, problem: null }

/** Reads the address, and clears it of what must not stay in the history. */
export async function begin(): Promise<Beginning> {
  const { pathname, hash, search } = location
  if (pathname === answersAt) return backWith(hash)
  const link_token = linkToken(hash)
  if (link_token !== null) {
    history.replaceState(null, '', pathname + search)
    return { ...signedOut, link_token }
  }
  const credential = keptCredential()
  if (credential === null || credential.kind === 'token' || (await holdSignIn(credential.id)))
    return { ...signedOut, credential }
  keepCredential(null)
  return signedOut
}

async function backWith(hash: string): Promise<Beginning> {
  const asked = takeSignInRequest()
  history.replaceState(null, '', returnPath(asked?.return_to, location.origin))
  try {
    const credential = await finishSignIn(hash, asked)
    await keepSignIn(credential)
    return { ...signedOut, credential }
  } catch (problem) {
    return { ...signedOut, problem }
  }
}

export async function keepSignIn(credential: Credential): Promise<void> {
  keepCredential(credential)
  if (credential.kind !== 'token') await holdSignIn(credential.id)
}
