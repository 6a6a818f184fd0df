import type { Page } from '@svc/sdk'
import type { InfiniteData } from '@tanstack/react-query'

export type ListData<T> = InfiniteData<Page<T>, string | undefined>

/** A list whose rows are read one at a time: a change costs one request, whatever was read before. */
export interface RowByRow<T> {
  readonly idOf: (row: T) => string
  /** The row, if the list has it: null once it is gone, or is not what the list is filtered by. */
  readonly read: (id: string) => Promise<T | null>
  /** The order of the list, which no change of a row changes. */
  readonly isBefore: (row: T, other: T) => boolean
}

/** A log: new rows stand at its beginning, and none ever leaves it. */
export type Log<T> = Pick<RowByRow<T>, 'idOf'>

/** The list with a row as it is now, at its place; one that belongs below all that was read comes with its own page. */
export function withRow<T>(data: ListData<T>, list: RowByRow<T>, id: string, row: T | null): ListData<T> {
  const { idOf, isBefore } = list
  const holder = data.pages.findIndex(({ items }) => items.some((item) => idOf(item) === id))
  if (holder >= 0)
    return onPage(data, holder, (items) =>
      items.flatMap((item) => (idOf(item) === id ? (row === null ? [] : [row]) : [item])),
    )
  if (row === null) return data
  const later = data.pages.findIndex(({ items }) => items.some((item) => isBefore(row, item)))
  const isWhole = (data.pages.at(-1)?.next_cursor ?? null) === null
  if (later < 0 && !isWhole) return data
  return onPage(data, later < 0 ? data.pages.length - 1 : later, (items) => {
    const at = items.findIndex((item) => isBefore(row, item))
    return at < 0 ? [...items, row] : items.toSpliced(at, 0, row)
  })
}

/** The log with its first page as it is now; null where more is new than one page holds. */
export function withNewest<T>(data: ListData<T>, { idOf }: Log<T>, first: Page<T>): ListData<T> | null {
  const now = new Map(first.items.map((row) => [idOf(row), row]))
  const known = new Set(data.pages.flatMap(({ items }) => items.map(idOf)))
  const added = first.items.filter((row) => !known.has(idOf(row)))
  if (added.length === first.items.length && known.size > 0) return null
  const pages = data.pages.map((page) =>
    page.items.some((row) => now.has(idOf(row)))
      ? { ...page, items: page.items.map((row) => now.get(idOf(row)) ?? row) }
      : page,
  )
  return onPage({ ...data, pages }, 0, (items) => [...added, ...items])
}

function onPage<T>(data: ListData<T>, at: number, change: (items: readonly T[]) => readonly T[]) {
  return {
    ...data,
    pages: data.pages.map((page, index) =>
      index === at ? { ...page, items: [...change(page.items)] } : page,
    ),
  }
}
