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
  const values = Object.values(credential ?? {})
  const forms = new Set(values.flatMap((value) => [value, value.trim()]).flatMap(formsOf))
  if (forms.size === 0) return { text: (text) => text, json: (value) => bounded(value, (text) => text) }
  const byLength = [...forms].sort((a, b) => b.length - a.length)
  const pattern = new RegExp(byLength.map(escaped).join('|'), 'g')
  const lines = withoutLines(values.filter((value) => value.trim().includes('\n')))
  const text = (said: string) => lines(said.replace(pattern, mark))
  return { text, json: (value) => bounded(value, text) }
}

const gram = 16
/** A line of PEM has 64 letters: of so many in a row one of the samples lies within. */
const step = 64 - gram

/**
 * Takes out pieces of keys, wherever their lines were broken: a run of base64 goes when a sample of it is part of a key.
 * One pass, since a key has too many lines for a pattern each.
 */
function withoutLines(values: readonly string[]): (text: string) => string {
  const grams = new Set<string>()
  for (const value of values) {
    const body = value.replaceAll(/-----[^\n]*|\s+/g, '')
    for (let n = 0; n + gram <= body.length; n++) grams.add(body.slice(n, n + gram))
  }
  if (grams.size === 0) return (text) => text
  return (text) =>
    text.replace(/[A-Za-z0-9+/=%\\]{16,1024}/g, (run) => {
      const plain = run.replaceAll(/%2b/gi, '+').replaceAll(/%2f/gi, '/').replaceAll('\\', '')
      for (let n = 0; n + gram <= plain.length; n += step)
        if (grams.has(plain.slice(n, n + gram))) return mark
      return grams.has(plain.slice(-gram)) ? mark : run
    })
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
