const maxHeaders = 8
/** Names of the connection, of the body and of our own signature. */
const kept =
  /^(?:host|connection|transfer-encoding|upgrade|te|trailer|expect|user-agent|proxy-.*|content-.*|webhook-.*|svc-.*)$/
const token = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/
/** Visible ASCII with blanks between. */
const value = /^[\x21-\x7e](?:[\x20-\x7e\t]{0,2046}[\x21-\x7e])?$/

/** The reason that a subscription may not have these headers of its own, by the name of one; none when it may. */
export function headerIssues(
  headers: Readonly<Record<string, string>>,
): readonly { readonly name: string | null; readonly message: string }[] {
  const names = Object.keys(headers)
  if (names.length > maxHeaders) return [{ name: null, message: `must be at most ${maxHeaders} headers` }]
  const lower = names.map((name) => name.toLowerCase())
  return names.flatMap((name, index) => {
    if (!token.test(name)) return [{ name, message: 'is not the name of a header' }]
    if (kept.test(name.toLowerCase()))
      return [{ name, message: 'is set by the platform; choose another name' }]
    if (lower.indexOf(name.toLowerCase()) < index) return [{ name, message: 'is given twice' }]
    return value.test(headers[name] ?? '')
      ? []
      : [{ name, message: 'must be 1 to 2,048 visible ASCII characters' }]
  })
}
