import { upstreamLimits } from './limits.ts'

/** Takes the values of a credential out of answers, errors and log lines. */
export interface Redactor {
  readonly text: (text: string) => string
  /** The same in every text and key of a JSON value. Throws `RangeError` where it nests too deep. */
  readonly json: (value: unknown) => unknown
}

const mark = '[redacted]'
/** A shorter value would take ordinary words out of every answer. */
const shortest = 4

/**
 * Finds values as they are, URL-encoded, escaped for JSON and in base64, there also where they stand inside something
 * longer. Of a value with several lines, such as a key in PEM, each line counts. Values under 4 characters stay.
 */
export function redactor(credential: Readonly<Record<string, string>> | null): Redactor {
  const forms = new Set(
    Object.values(credential ?? {})
      .flatMap(withLines)
      .flatMap(formsOf),
  )
  if (forms.size === 0) return { text: (text) => text, json: (value) => bounded(value, (text) => text) }
  const byLength = [...forms].sort((a, b) => b.length - a.length)
  const pattern = new RegExp(byLength.map(escaped).join('|'), 'g')
  const text = (said: string) => said.replace(pattern, mark)
  return { text, json: (value) => bounded(value, text) }
}

function withLines(value: string): string[] {
  const lines = value.split(/\r?\n/).map((line) => line.trim())
  return [value, value.trim(), ...lines.filter((line) => line.length >= 16 && !line.startsWith('-----'))]
}

function formsOf(value: string): string[] {
  if (value.length < shortest) return []
  const url = encodeURIComponent(Buffer.from(value).toString())
  const strict = url.replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
  const urls = [url, strict, url.replaceAll('%20', '+'), strict.replaceAll('%20', '+')]
  const lower = urls.map((text) => text.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()))
  const json = JSON.stringify(value).slice(1, -1)
  return [value, ...urls, ...lower, json, json.replaceAll('/', '\\/'), ...base64Forms(Buffer.from(value))]
}

/** In base64 a value looks in three ways, by what stands before it: `user:password` hides its password in one of them. */
function base64Forms(value: Buffer): string[] {
  const inside = [0, 1, 2].map((before) => {
    const bits = { from: before * 8, to: (before + value.length) * 8 }
    const text = Buffer.concat([Buffer.alloc(before), value]).toString('base64')
    return text.slice(Math.ceil(bits.from / 6), Math.floor(bits.to / 6))
  })
  const whole = value.toString('base64')
  const forms = [whole, whole.replace(/=+$/, ''), ...inside.filter((text) => text.length >= 8)]
  return forms.flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')])
}

function bounded(value: unknown, text: (said: string) => string, depth = 0): unknown {
  if (depth > upstreamLimits.depth) throw new RangeError('the answer nests too deep')
  if (typeof value === 'string') return text(value)
  if (typeof value === 'number') {
    const written = String(value)
    const said = text(written)
    return said === written ? value : said
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => bounded(item, text, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [text(key), bounded(item, text, depth + 1)]),
  )
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
