import { createClient, isApiError } from '@svc/sdk'
import type { SignedInAs } from './signed-in-as.ts'

const api_url = () => `${location.origin}/v1`

/** A bearer becomes a session of this browser; a token that is no person stays what it is, in this tab. */
export async function exchange(token: string, keep: boolean): Promise<SignedInAs> {
  try {
    const { page_key } = await createClient({ api_url: api_url(), token }).auth.browsers.open({ keep })
    return { kind: 'browser', page_key }
  } catch (error) {
    if (isApiError(error) && error.status === 403) return { kind: 'token', token }
    throw error
  }
}
