export type QueryValue = string | number | boolean

/** The path and query of a call, or why it is none. */
export type CallPath =
  | { readonly kind: 'path'; readonly path: string; readonly search: string }
  | { readonly kind: 'refused'; readonly reason: string }

/**
 * Fills `{project_id}` in and adds the query. A path stays a path of the API: no host, no `..`, and nothing left to
 * fill in.
 */
export function callPath(
  given: string,
  project_id: string | undefined,
  query: Readonly<Record<string, QueryValue>> = {},
): CallPath {
  const [bare = '', own = ''] = given.split('?', 2)
  const path =
    project_id === undefined ? bare : bare.replaceAll('{project_id}', encodeURIComponent(project_id))
  const missing = /\{[^}]*\}/.exec(path)?.[0]
  if (missing === '{project_id}') return refused('give project_id')
  if (missing !== undefined) return refused(`write the value of ${missing} into the path`)
  if (!path.startsWith('/v1/') || !isPlain(path))
    return refused('the path begins with /v1/ and names no host')
  const search = new URLSearchParams(own)
  for (const [key, value] of Object.entries(query)) search.set(key, String(value))
  return { kind: 'path', path, search: search.size === 0 ? '' : `?${search.toString()}` }
}

function isPlain(path: string): boolean {
  return (
    !/[\\\s#]|\/\/|%2e|%2f|%5c/i.test(path) && path.split('/').every((part) => part !== '.' && part !== '..')
  )
}

function refused(reason: string): CallPath {
  return { kind: 'refused', reason }
}
