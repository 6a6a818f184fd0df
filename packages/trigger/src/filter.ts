import { type Payload, renderTemplate, valueAt, valueText } from './template.ts'

/** True when every path of the filter has exactly its text in the payload; a missing value is the empty text. */
export function matchesFilter(filter: Readonly<Record<string, string>>, payload: Payload): boolean {
  return Object.entries(filter).every(([path, text]) => valueText(valueAt(payload, path)) === text)
}

export const sessionKeyLength = 512

/** The key that fires of one session share: rendered, trimmed, cut. Empty means that no session is shared. */
export function renderSessionKey(template: string | null, payload: Payload): string {
  if (template === null) return ''
  // A cut character takes four bytes at the most, and white space before the key is trimmed.
  const rendered = renderTemplate(template, payload, 64 * 1024).replaceAll('\0', '\ufffd')
  return Buffer.from([...rendered.trim()].slice(0, sessionKeyLength).join('')).toString('utf8')
}
