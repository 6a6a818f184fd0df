import type { Filter } from '../filter/filter-syntax.ts'

/**
 * The values that a filter certainly asks of these attributes, so that the database reads no more than it must:
 * directories look for one person by name nearly always. The filter decides still.
 */
export function narrow<K extends string>(
  filter: Filter,
  columns: Readonly<Record<string, K>>,
): Partial<Record<K, string>> {
  const found: Partial<Record<K, string>> = {}
  for (const part of filter.op === 'and' ? filter.filters : [filter]) {
    // The database folds the case of other letters in its own way.
    if (part.op !== 'eq' || typeof part.value !== 'string' || !/^[ -~]*$/.test(part.value)) continue
    const column = columns[part.path.toLowerCase()]
    if (column !== undefined) found[column] ??= part.value
  }
  return found
}
