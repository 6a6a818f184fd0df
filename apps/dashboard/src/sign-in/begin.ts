import { finishSignIn } from './authorization.ts'
import { exchange } from './exchange.ts'
import { linkToken } from './link.ts'
import { answersAt, returnPath } from './return-path.ts'
import { takeSignInRequest } from './sign-in-request.ts'
import { keep, kept } from './signed-in-as.ts'

/** The state that a page begins with when it is opened. */
export interface Beginning {
  readonly signed_in: boolean
  /**
   * The token of a link that signs in once, which waits until the person presses the button: mail scanners open links.
   */
  readonly link_token: string | null
  readonly problem: unknown
}

const signedOut: Beginning = { signed_in: false, link_token: null, problem: null }

/** Reads the address, and clears it of what must not stay in the history. */
export async function begin(): Promise<Beginning> {
  const { pathname, hash, search } = location
  if (pathname === answersAt) return backWith(hash)
  const link_token = linkToken(hash)
  if (link_token !== null) {
    history.replaceState(null, '', pathname + search)
    return { ...signedOut, link_token }
  }
  return { ...signedOut, signed_in: kept() !== null }
}

async function backWith(hash: string): Promise<Beginning> {
  const asked = takeSignInRequest()
  history.replaceState(null, '', returnPath(asked?.return_to, location.origin))
  try {
    keep(await exchange(await finishSignIn(hash, asked), asked?.keep === true))
    return { ...signedOut, signed_in: true }
  } catch (problem) {
    return { ...signedOut, problem }
  }
}
