import type { Reason } from '@svc/connector'
import { UpstreamRefusal } from '../shapes.ts'

const ofTheConnection = new Set([
  'host',
  'connection',
  'transfer-encoding',
  'content-length',
  'cookie',
  'keep-alive',
  'te',
  'trailer',
  'upgrade',
  'expect',
])
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/
const value = /^[\t\x20-\x7e\x80-\xff]*$/

/** False for headers that say how the connection is used or whose browser asks: only the platform's client sets those. */
export function isSettable(name: string): boolean {
  const lower = name.toLowerCase()
  return !ofTheConnection.has(lower) && !lower.startsWith('proxy-')
}

/** The words for what is wrong with a header, or null. They never hold its value. */
export function headerTrouble(name: string, text: string): string | null {
  if (!token.test(name)) return `${JSON.stringify(name)} is no name of a header`
  if (!isSettable(name)) return `the header ${name} is set by the platform alone`
  if (!value.test(text)) return `the value of the header ${name} has a line break or a letter beyond Latin-1`
  return null
}

/**
 * Headers under lowercase names, those of a later layer in place of an earlier one's. Throws `UpstreamRefusal` for one
 * that may not be set or sent, with the reason of its layer.
 */
export function layeredHeaders(
  ...layers: readonly (readonly [Reason, Readonly<Record<string, string>>])[]
): Record<string, string> {
  const headers = new Map<string, string>()
  for (const [reason, layer] of layers)
    for (const [name, text] of Object.entries(layer)) {
      const trouble = headerTrouble(name, text)
      if (trouble !== null) throw new UpstreamRefusal(reason, `${trouble}: leave it out or correct it.`)
      headers.set(name.toLowerCase(), text)
    }
  return Object.fromEntries(headers)
}
