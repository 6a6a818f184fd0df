import { type Client, createClient, type Fetch } from '@svc/sdk'
import { renewApp, revokeApp } from './authorization.ts'
import { type Credential, keepCredential, keptCredential, type Renewable } from './credential.ts'
import { endSignIn, renewSignIn } from './link.ts'
import { renewingFetch } from './renewing-fetch.ts'

const send: Fetch = (url, init) => fetch(url, init)
const api_url = () => `${location.origin}/v1`

/** The API of the platform that served this page, and no other. */
export function clientWith(token: string): Client {
  return createClient({ api_url: api_url(), token })
}

/** The same for the person who is signed in to this tab. */
export function signedInClient(): Client {
  const renew = (old: Renewable) => (old.kind === 'app' ? renewApp(old) : renewSignIn(old))
  const parts = { kept: keptCredential, keep: keepCredential, renew, send, now: () => Date.now() }
  return createClient({ api_url: api_url(), fetch: renewingFetch(parts) })
}

/** Ends at the platform the tokens of a sign-in. A pasted token was made elsewhere, and stays. */
export async function end(credential: Credential | null): Promise<void> {
  if (credential?.kind === 'app') await revokeApp(credential)
  if (credential?.kind === 'sign_in') await endSignIn(credential)
}
