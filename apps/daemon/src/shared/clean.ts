/**
 * Text as a database can hold it: no NUL, no lone surrogates, and no longer than `max`.
 */
export function cleanText(text: string, max: number): string {
  const cut = text.length > max ? `${text.slice(0, max)}\n[cut: ${text.length} characters]` : text
  return Buffer.from(cut, 'utf8').toString('utf8').replaceAll('\0', '\ufffd')
}

/** The same for every string in a JSON value. */
export function cleanValue(value: unknown, max: number): unknown {
  if (typeof value === 'string') return cleanText(value, max)
  if (Array.isArray(value)) return value.map((item) => cleanValue(item, max))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [cleanText(key, max), cleanValue(item, max)]),
  )
}
