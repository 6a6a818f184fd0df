import { UsageError } from '../failures.ts'

const next = 'give the address of the API, such as http://127.0.0.1:7700'

/** The API base ending in `/v1`, from an origin or a base. */
export function apiBase(given: string): string {
  let url: URL
  try {
    url = new URL(given)
  } catch {
    throw new UsageError(`${given} is not a URL`, next)
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new UsageError(`${given} is not an http(s) URL`, next)
  if (url.username !== '' || url.password !== '')
    throw new UsageError('a URL must not carry a credential', 'give the token with --token')
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1`
}
