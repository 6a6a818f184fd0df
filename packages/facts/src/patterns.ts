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
