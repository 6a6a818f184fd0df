export interface Column {
  readonly header: string
  /** May be cut to make the table fit; the others never are. */
  readonly flexible?: boolean
}

const gap = '  '
const narrowest = 8

/** Aligned columns. With a width, flexible columns are cut, the widest first, until every line fits. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width?: number,
): string[] {
  const lines = [columns.map(({ header }) => header), ...rows]
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => length(line[index] ?? ''))))
  if (width !== undefined) shrink(columns, widths, width)
  return lines.map((line) =>
    widths
      .map((size, index) => pad(cut(line[index] ?? '', size), size))
      .join(gap)
      .trimEnd(),
  )
}

function shrink(columns: readonly Column[], widths: number[], width: number): void {
  const total = () => widths.reduce((sum, size) => sum + size, 0) + gap.length * (widths.length - 1)
  while (total() > width) {
    let widest = -1
    for (const [index, size] of widths.entries()) {
      if (columns[index]?.flexible && size > narrowest && size > (widths[widest] ?? 0)) widest = index
    }
    const size = widths[widest]
    if (size === undefined) return
    widths[widest] = size - 1
  }
}

function length(text: string): number {
  return [...text].length
}

function cut(text: string, size: number): string {
  const characters = [...text]
  return characters.length <= size ? text : `${characters.slice(0, size - 1).join('')}…`
}

function pad(text: string, size: number): string {
  return text + ' '.repeat(Math.max(0, size - length(text)))
}
