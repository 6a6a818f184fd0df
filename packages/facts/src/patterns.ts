/**
 * Names that people give to things. `…Source` is the pattern without its anchors, to be put into a larger one; JSON
 * Schema takes `pattern.source`.
 */

/** Slugs of triggers, connectors and sandbox templates. */
export const slugSource = '[a-z0-9][a-z0-9_-]{0,127}'
export const slugPattern = new RegExp(`^${slugSource}$`)

/** Variables of an environment, and secrets, which become such. */
export const envNamePattern = /^[A-Za-z_][A-Za-z0-9_]*$/

/** The same in capitals alone, for names that a manifest declares. */
export const upperEnvNamePattern = /^[A-Z_][A-Z0-9_]*$/

/** Variables that the platform sets in sandboxes; no secret has such a name. */
export const platformNamePattern = /^SVC_/

/** `provider/model`; the model's own name may hold further slashes, and begins with none. */
export const modelNamePattern = /^[^/\s]+\/[^/\s]\S*$/

/** Providers of sign-in that an operator sets up. */
export const signInProviderPattern = /^[a-z0-9][a-z0-9-]{0,63}$/

/** Ids of rows, in any writing of their letters. */
export const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A SHA-256 in hexadecimal. */
export const sha256Pattern = /^[0-9a-f]{64}$/

/** A commit of git by its whole id, in the format of managed repositories. */
export const commitShaPattern = /^[0-9a-f]{40}$/

/** The token of `Authorization: Bearer <token>` (RFC 6750); null for every other header. */
export function bearerToken(header: string | null | undefined): string | null {
  return /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1] ?? null
}
