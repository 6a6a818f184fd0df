import type { ReactNode } from 'react'

interface Props {
  readonly caption: string
  readonly columns: readonly string[]
  readonly children: ReactNode
}

/** A table that scrolls by itself where the window is narrow. */
export function Table({ caption, columns, children }: Props) {
  return (
    <div className="scroll" role="region" aria-label={caption} tabIndex={0}>
      <table>
        <caption className="unseen">{caption}</caption>
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
