/**
 * The origin (with any path prefix, without `/v1`) that every path is appended to.
 * Takes the API base with or without its `/v1` and trailing slashes.
 */
export function apiOrigin(api_url: string): string {
  if (!URL.canParse(api_url))
    throw new TypeError(
      `api_url must be the address of the API, such as http://127.0.0.1:7700/v1, not ${api_url}`,
    )
  const url = new URL(api_url)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new TypeError(`api_url must be http or https, not ${url.protocol}`)
  }
  if (url.username !== '' || url.password !== '') throw new TypeError('api_url must not carry a credential')
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')}`
}

type Scalar = string | number | boolean

export type PathParams = Readonly<Record<string, Scalar>>
export type QueryValues = Readonly<Record<string, Scalar | undefined>>

/** Fills `{name}` segments and appends the query; undefined query values are left out. */
export function requestPath(template: string, params: PathParams = {}, query: QueryValues = {}): string {
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    // An empty or dotted segment would silently address another route.
    if (value === undefined || value === '' || value === '.' || value === '..') {
      throw new TypeError(`${name} must not be empty`)
    }
    return encodeURIComponent(value)
  })
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  return search.size === 0 ? path : `${path}?${search.toString()}`
}
