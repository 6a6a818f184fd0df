import fitted from 'fast-string-truncated-width'

export interface Column {
  readonly header: string
  /** May be cut to make the table fit; the others never are. */
  readonly flexible?: boolean
  /** Left out where the table does not fit even so, the last one first. */
  readonly optional?: boolean
}

const gap = '  '
const narrowest = 8

/**
 * Aligned columns. With a width, flexible columns are cut, the widest first, until every line fits; where that is not
 * enough, optional ones are left out.
 */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width = Infinity,
): string[] {
  const lines = [columns.map(({ header }) => header), ...rows]
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => size(line[index] ?? ''))))
  shrink(columns, widths, width)
  const spare = total(widths) > width ? columns.findLastIndex(({ optional }) => optional) : -1
  if (spare !== -1) {
    const others = <T>(items: readonly T[]) => items.filter((_, index) => index !== spare)
    return table(others(columns), rows.map(others), width)
  }
  return lines.map((line) =>
    widths
      .map((room, index) => pad(cut(line[index] ?? '', room), room))
      .join(gap)
      .trimEnd(),
  )
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, room) => sum + room, 0) + gap.length * (widths.length - 1)
}

function shrink(columns: readonly Column[], widths: number[], width: number): void {
  while (total(widths) > width) {
    let widest = -1
    for (const [index, room] of widths.entries()) {
      if (columns[index]?.flexible && room > narrowest && room > (widths[widest] ?? 0)) widest = index
    }
    const room = widths[widest]
    if (room === undefined) return
    widths[widest] = room - 1
  }
}

/** The width in cells of a terminal, of which a wide character or an emoji takes two. */
function size(text: string): number {
  return fitted(text).width
}

function cut(text: string, room: number): string {
  const { ellipsed, index } = fitted(text, { limit: room, ellipsis: '…', ellipsisWidth: 1 })
  return ellipsed ? `${text.slice(0, index)}…` : text
}

function pad(text: string, room: number): string {
  return text + ' '.repeat(Math.max(0, room - size(text)))
}
