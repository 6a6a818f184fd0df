/** The values that a template is filled in from. */
export type Payload = Readonly<Record<string, unknown>>

const forbidden: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** `{{ token.dotted.path }}`: names of anything but white space, braces and dots. No two starts share a character. */
const placeholder = /\{\{[ \t\r\n]*([^\s{}.]+(?:\.[^\s{}.]+)*)[ \t\r\n]*\}\}/g

/**
 * Fills in each placeholder once: values are never read as templates again. Missing values and null are empty, objects
 * and arrays are JSON. Stops as soon as more than `max_bytes` are there: the rest would be cut anyway.
 */
export function renderTemplate(template: string, payload: Payload, max_bytes = Infinity): string {
  const pieces: string[] = []
  let bytes = 0
  let end = 0
  const add = (text: string) => {
    pieces.push(text)
    bytes += Buffer.byteLength(text)
  }
  for (const match of template.matchAll(placeholder)) {
    add(template.slice(end, match.index))
    if (bytes > max_bytes) return pieces.join('')
    add(valueText(valueAt(payload, match[1] ?? '')))
    if (bytes > max_bytes) return pieces.join('')
    end = match.index + match[0].length
  }
  add(template.slice(end))
  return pieces.join('')
}

/** The own value at a dotted path, never anything inherited; undefined when there is none. */
export function valueAt(payload: Payload, path: string): unknown {
  let value: unknown = payload
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || forbidden.has(name)) return undefined
    if (Array.isArray(value) && !/^\d{1,9}$/.test(name)) return undefined
    const own = Object.getOwnPropertyDescriptor(value, name)
    if (own === undefined || !('value' in own)) return undefined
    value = own.value
  }
  return value
}

/** The text of a value in a prompt. */
export function valueText(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
    case 'boolean':
    case 'bigint':
      return String(value)
    case 'object':
      return value === null ? '' : jsonText(value)
    case 'undefined':
    case 'function':
    case 'symbol':
      return ''
  }
}

/** A value that is nested too deep to be written down is left out. */
function jsonText(value: object): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}
