import { encodeCursor } from '@svc/context'

export interface PageInput {
  readonly limit: number
  readonly cursor?: string | undefined
}

/** The page of rows of which one more than `limit` was read, and the cursor of the next one. */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  positionOf: (last: Row) => Readonly<Record<string, unknown>>,
): { readonly page: Row[]; readonly next_cursor: string | null } {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const more = rows.length > limit && last !== undefined
  return { page, next_cursor: more ? encodeCursor(positionOf(last)) : null }
}
