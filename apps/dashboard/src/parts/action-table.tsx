import type { Capability } from '@svc/facts'
import type { Page } from '@svc/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { DataTable } from './data-table.tsx'
import { Confirm } from './dialog.tsx'
import { Empty } from './empty.tsx'
import { Failure } from './failure.tsx'
import { Loaded } from './loaded.tsx'
import { MoreButton, usePages } from './pages.tsx'
import { toast } from './toast.tsx'
import { GuardedButton } from './guarded-button.tsx'

export interface Column<T> {
  readonly name: string
  readonly cell: (row: T) => ReactNode
}

export interface Action<T> {
  readonly label: string
  /** The capability that it takes, where not every reader has it. */
  readonly needs?: Capability
  readonly when?: (row: T) => boolean
  /** The question before an action that others feel; none for one that only asks a worker. */
  readonly asks?: (row: T) => string
  readonly run: (row: T) => Promise<unknown>
  /** The words when it is done. */
  readonly done?: string
}

export interface ActionTableProps<T> {
  readonly caption: string
  readonly empty: string
  /** The lists that an action changes: all that are kept below this key. */
  readonly queryKey: readonly string[]
  /** A condition on the rows, such as a search. */
  readonly filter?: string
  readonly read: (cursor: string | undefined) => PromiseLike<Page<T>>
  readonly keyOf: (row: T) => string
  /** A log, of which a change asks for the newest rows; a filter that rows can leave makes it none. */
  readonly isLog?: boolean
  readonly columns: readonly Column<T>[]
  readonly actions?: readonly Action<T>[]
  /** The pause after which the rows are read again, where they change and no stream follows them. */
  readonly refreshMs?: (rows: readonly T[]) => number | undefined
}

/** A list of the API: its rows page by page, and what can be done with each. */
export function ActionTable<T>(props: ActionTableProps<T>) {
  const {
    caption,
    empty,
    queryKey,
    filter = '',
    read,
    keyOf,
    isLog,
    columns,
    actions = [],
    refreshMs,
  } = props
  const queries = useQueryClient()
  const [asked, setAsked] = useState<{ readonly action: Action<T>; readonly row: T } | null>(null)
  const follow = isLog === true ? { idOf: keyOf } : undefined
  const pages = usePages({ key: [...queryKey, caption, filter], read, follow, refreshMs })
  const act = useMutation({
    mutationFn: ({ action, row }: { readonly action: Action<T>; readonly row: T }) => action.run(row),
    onSuccess: (_, { action }) => {
      setAsked(null)
      toast(action.done ?? `${action.label}: done.`)
    },
    onSettled: () => queries.invalidateQueries({ queryKey }),
  })
  const names = [...columns.map(({ name }) => name), ...(actions.length === 0 ? [] : ['Actions'])]
  return (
    <>
      <Failure error={asked === null ? act.error : null} />
      <Loaded query={pages}>
        {({ pages: found }) => {
          const rows = found.flatMap(({ items }) => items)
          if (rows.length === 0) return <Empty title={empty} />
          return (
            <DataTable caption={caption} columns={names}>
              {rows.map((row) => (
                <tr key={keyOf(row)}>
                  {columns.map(({ name, cell }, index) =>
                    index === 0 ? (
                      <th key={name} scope="row" dir="auto">
                        {cell(row)}
                      </th>
                    ) : (
                      <td key={name} data-name={name} dir="auto">
                        {cell(row)}
                      </td>
                    ),
                  )}
                  {actions.length > 0 && (
                    <td>
                      <div className="flex flex-wrap gap-1 md:flex-nowrap">
                        {actions
                          .filter(({ when }) => when?.(row) ?? true)
                          .map((action) => (
                            <GuardedButton
                              needs={action.needs}
                              key={action.label}
                              type="button"
                              className="button small"
                              disabled={act.isPending}
                              onClick={() =>
                                action.asks === undefined
                                  ? act.mutate({ action, row })
                                  : setAsked({ action, row })
                              }
                            >
                              {action.label}
                            </GuardedButton>
                          ))}
                      </div>
                    </td>
                  )}
                </tr>
              ))}
            </DataTable>
          )
        }}
      </Loaded>
      <MoreButton pages={pages} />
      {asked !== null && (
        <Confirm
          title={`${asked.action.label}?`}
          open
          onOpenChange={() => setAsked(null)}
          verb={asked.action.label}
          busy={act.isPending}
          error={act.error}
          onConfirm={() => act.mutate(asked)}
        >
          {asked.action.asks?.(asked.row)}
        </Confirm>
      )}
    </>
  )
}

/** A list that comes whole, as one page. */
export const whole = async <T,>(rows: Promise<readonly T[]>): Promise<Page<T>> => ({
  items: await rows,
  next_cursor: null,
})
