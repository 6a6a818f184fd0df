import type * as OidcProvider from 'oidc-provider'

export type Library = typeof OidcProvider

let library: Promise<Library> | undefined

/** The protocol library, loaded by the first request that needs it. It warns once of Node 20, on which our tests run it. */
export function oauthLibrary(): Promise<Library> {
  return (library ??= import('oidc-provider'))
}
