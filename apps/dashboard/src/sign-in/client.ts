import { type Client, type ClientOptions, createClient } from '@svc/sdk'
import type { SignedInAs } from './signed-in-as.ts'

/** The API of the platform that served this page, and no other. */
export function clientAs(as: SignedInAs): Client {
  return createClient(optionsAs(as))
}

export function optionsAs(as: SignedInAs): ClientOptions {
  const api_url = `${location.origin}/v1`
  return as.kind === 'browser' ? { api_url, page_key: as.page_key } : { api_url, token: as.token }
}

/** Ends at the platform what this browser is signed in with. A pasted token was made elsewhere, and stays. */
export async function endAtPlatform(as: SignedInAs): Promise<void> {
  if (as.kind === 'browser') await clientAs(as).auth.browsers.endOwn()
}
