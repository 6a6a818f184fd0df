/** JSON as PostgreSQL can hold it: NUL and half a surrogate pair become U+FFFD, where a column would refuse the whole. */
export function jsonb(value: unknown): string {
  return JSON.stringify(value).replace(/\\(?:u0000|ud[89a-f][0-9a-f]{2}|.)/g, (escape) =>
    /^\\u(0000|d)/.test(escape) ? '\ufffd' : escape,
  )
}
