import { bearerToken } from '@svc/facts'

/** git sends Basic with any name and the token as password; Bearer is accepted as everywhere. */
export function gitCredential(header: string | undefined): string | null {
  const basic = /^Basic +([A-Za-z0-9+/=]+) *$/i.exec(header ?? '')?.[1]
  if (basic === undefined) return bearerToken(header)
  const pair = Buffer.from(basic, 'base64').toString('utf8')
  const colon = pair.indexOf(':')
  const password = colon < 0 ? '' : pair.slice(colon + 1)
  return password === '' ? null : password
}
