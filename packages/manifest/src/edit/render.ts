import { Scalar, stringify } from 'yaml'
import type { Mapping } from '../raw.ts'

const options = { lineWidth: 0, indent: 2 } as const

/** The notation for text of several lines: a block, or quotes, which no line that follows can be taken for. */
export type Style = 'blocks' | 'quotes'

/** `key: value` as block YAML, every line at the given column. */
export function renderPair(key: string, value: unknown, column: number, style: Style): string {
  return indented(stringify({ [key]: value }, { ...options, blockQuote: style === 'blocks' }), column)
}

/** `- key: value …`, the dash at the given column. */
export function renderItem(item: Mapping, column: number, style: Style): string {
  const written = stringify([item], { ...options, indentSeq: false, blockQuote: style === 'blocks' })
  return indented(written, column)
}

/** A value on one line, whatever it holds. */
export function renderInline(value: unknown): string {
  return JSON.stringify(value)
}

/** A value that fits behind `key: ` on its line, in the quotes the old one had; undefined when it needs lines of its own. */
export function renderScalar(value: unknown, style: unknown): string | undefined {
  if (typeof value === 'object' && value !== null) return undefined
  if (typeof value === 'string' && value.includes('\n')) return undefined
  const scalar = new Scalar(value)
  if (typeof value === 'string' && (style === 'QUOTE_DOUBLE' || style === 'QUOTE_SINGLE')) scalar.type = style
  return stringify(scalar, options).trimEnd()
}

function indented(text: string, column: number): string {
  const margin = ' '.repeat(column)
  return text.replaceAll(/^(?=.)/gm, margin)
}
