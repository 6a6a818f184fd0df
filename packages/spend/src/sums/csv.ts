type Cell = string | number | null | undefined

/**
 * Rows as RFC 4180 has them. What a spreadsheet would take for a formula gets a quote in front: names come from
 * manifests and clients.
 */
export function csv(columns: readonly string[], rows: readonly Readonly<Record<string, Cell>>[]): string {
  const lines = [columns.map(cell), ...rows.map((row) => columns.map((column) => cell(row[column])))]
  return lines.map((cells) => `${cells.join(',')}\r\n`).join('')
}

function cell(value: Cell): string {
  const text = value === null || value === undefined ? '' : String(value)
  const plain = /^[=+\-@]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
