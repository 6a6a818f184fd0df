import type { ReactNode } from 'react'

interface Props {
  readonly caption: string
  readonly columns: readonly string[]
  readonly children: ReactNode
}

/** A table; on a phone its rows are cards, so that nothing hides behind the edge. */
export function DataTable({ caption, columns, children }: Props) {
  return (
    <div className="rows">
      <table className="table" aria-label={caption}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}
