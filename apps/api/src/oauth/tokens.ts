import { randomBytes } from 'node:crypto'
import { formatToken, type TokenPrefix } from '@svc/access'
import type Provider from 'oidc-provider'

/** Has the library write tokens as the platform does: a prefix that names its kind, and a checksum. */
export function writeOurTokens(provider: Provider): void {
  name(provider.AccessToken, 'svc_oat_')
  name(provider.RefreshToken, 'svc_ort_')
}

function name({ prototype }: { readonly prototype: object }, prefix: TokenPrefix): void {
  const before: unknown = Reflect.get(prototype, 'generateTokenId')
  if (typeof before !== 'function') throw new Error('The library names its tokens in another way now')
  // On the way the library notes what kind of token it makes.
  const note = (token: unknown): unknown => Reflect.apply(before, token, [])
  function value(this: unknown): string {
    note(this)
    return formatToken(prefix, randomBytes(32))
  }
  Object.defineProperty(prototype, 'generateTokenId', { value })
}
