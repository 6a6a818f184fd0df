import { type Client, createClient } from '@svc/sdk'

/** The API of the platform that served this page, and no other. */
export function clientWith(token: string): Client {
  return createClient({ api_url: `${location.origin}/v1`, token })
}
