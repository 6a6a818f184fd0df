import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { DataTable } from '../parts/data-table.tsx'
import { Empty } from '../parts/empty.tsx'
import { RawDrawer } from './raw-drawer.tsx'
import { SearchBox } from '../parts/search-box.tsx'

export interface RecordColumn<T> {
  readonly name: string
  readonly cell: (row: T) => ReactNode
}

interface Props<T> {
  readonly caption: string
  readonly rows: readonly T[]
  readonly keyOf: (row: T) => string
  /** The words that name a row: its button opens the drawer, and the filter looks in them. */
  readonly nameOf: (row: T) => string
  /** A second line of words below the name. */
  readonly noteOf?: (row: T) => string | null
  readonly columns: readonly RecordColumn<T>[]
  readonly actions?: (row: T) => ReactNode
  readonly empty: string
}

/** The number of rows from which on a filter helps. */
const filteredFrom = 6

/**
 * A list of an account or a project: its filter and the record that is open stand in the address, so that a link shows
 * them and the browser's way back closes them.
 */
export function RecordTable<T>(props: Props<T>) {
  const { caption, rows, keyOf, nameOf, noteOf, columns, actions, empty } = props
  const { q = '', record } = useSearch({ strict: false, select: recordSearch })
  const navigate = useNavigate()
  const set = (change: { readonly q?: string; readonly record?: string }, replace: boolean) =>
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, ...blankAsAbsent(change) }),
      replace,
      resetScroll: false,
    })
  const words = q.toLowerCase()
  const searchedOf = (row: T) => `${nameOf(row)} ${noteOf?.(row) ?? ''}`.toLowerCase()
  const shown = rows.filter((row) => searchedOf(row).includes(words))
  const opened = record === undefined ? undefined : rows.find((row) => `${caption}:${keyOf(row)}` === record)
  const names = ['Name', ...columns.map(({ name }) => name), ...(actions === undefined ? [] : ['Actions'])]
  return (
    <div className="grid gap-2">
      {(rows.length >= filteredFrom || q !== '') && (
        <div className="flex">
          <SearchBox
            label={`Filter ${caption.toLowerCase()}`}
            value={q}
            onChange={(next) => set({ q: next }, true)}
          />
        </div>
      )}
      {shown.length === 0 ? (
        <Empty title={rows.length === 0 ? empty : 'None has these words'} />
      ) : (
        <DataTable caption={caption} columns={names}>
          {shown.map((row) => (
            <tr key={keyOf(row)}>
              <th scope="row" dir="auto">
                <button
                  type="button"
                  className="text-link"
                  aria-haspopup="dialog"
                  onClick={() => set({ record: `${caption}:${keyOf(row)}` }, false)}
                >
                  {nameOf(row)}
                </button>
                <Note text={noteOf?.(row) ?? null} />
              </th>
              {columns.map(({ name, cell }) => (
                <td key={name} data-name={name} dir="auto">
                  {cell(row)}
                </td>
              ))}
              {actions !== undefined && (
                <td>
                  <span className="flex flex-wrap gap-2">{actions(row)}</span>
                </td>
              )}
            </tr>
          ))}
        </DataTable>
      )}
      {opened !== undefined && (
        <RawDrawer title={nameOf(opened)} record={opened} onClose={() => set({ record: '' }, false)} />
      )}
    </div>
  )
}

function Note({ text }: { readonly text: string | null }) {
  if (text === null || text === '') return null
  return <span className="faint grid font-normal">{text}</span>
}

function recordSearch(search: { readonly q?: unknown; readonly record?: unknown }) {
  const { q, record } = search
  return {
    ...(typeof q === 'string' ? { q } : {}),
    ...(typeof record === 'string' ? { record } : {}),
  }
}

function blankAsAbsent(change: { readonly q?: string; readonly record?: string }) {
  return Object.fromEntries(
    Object.entries(change).map(([key, value]) => [key, value === '' ? undefined : value]),
  )
}
