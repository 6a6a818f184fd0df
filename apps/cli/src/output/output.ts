import pc from 'picocolors'
import type { Io } from '../io.ts'
import { type Column, table } from './table.ts'

export type Colors = ReturnType<typeof pc.createColors>

/** Results go to stdout, everything said about them to stderr. */
export interface Output {
  /** The colors of stdout. */
  readonly colors: Colors
  /** The colors of stderr, which may go elsewhere. */
  readonly note_colors: Colors
  readonly is_terminal: boolean
  line(text?: string): void
  json(value: unknown): void
  table(columns: readonly Column[], rows: readonly (readonly string[])[]): void
  /** `key  value` lines; entries without a value are left out. */
  fields(entries: readonly (readonly [string, string | null | undefined])[]): void
  note(text: string): void
}

/** Colour needs a terminal, no NO_COLOR and no --no-color. */
export function createOutput(io: Io, color: boolean): Output {
  const is_terminal = io.stdout.isTTY === true
  const dumb = io.env['NO_COLOR'] ? true : io.env['TERM'] === 'dumb'
  const colors = pc.createColors(color && is_terminal && !dumb)
  const note_colors = pc.createColors(color && io.stderr.isTTY === true && !dumb)
  const line = (text = '') => void io.stdout.write(`${text}\n`)
  return {
    colors,
    note_colors,
    is_terminal,
    line,
    json: (value) => line(JSON.stringify(value, null, 2)),
    table(columns, rows) {
      const [header = '', ...body] = table(columns, rows, is_terminal ? io.stdout.columns || 80 : undefined)
      line(colors.bold(header))
      for (const row of body) line(row)
    },
    fields(entries) {
      const shown = entries.filter(([, value]) => value !== null && value !== undefined && value !== '')
      const size = Math.max(0, ...shown.map(([key]) => key.length))
      for (const [key, value] of shown) line(`${colors.dim(key.padEnd(size))}  ${value}`)
    },
    note: (text) => void io.stderr.write(`${text}\n`),
  }
}
