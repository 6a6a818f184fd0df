import type { Page } from '@svc/sdk'
import type { Query, QueryClient, QueryKey } from '@tanstack/react-query'
import { type ListData, type Log, type RowByRow, withNewest, withRow } from './list-rows.ts'

interface FollowedList<T> {
  readonly key: QueryKey
  readonly read: (cursor: string | undefined) => PromiseLike<Page<T>>
  readonly follow: RowByRow<T> | Log<T>
}

/** Reads one changed row into a list, or of a log what is new; the whole list where more is new than a page holds. */
export async function renew<T>(queries: QueryClient, { key, read, follow }: FollowedList<T>, id: string) {
  const change = 'read' in follow ? await changedRow(follow, id) : newest(follow, await read(undefined))
  const query = queries.getQueryCache().find({ queryKey: key })
  if (query !== undefined) await settled(query)
  const data = queries.getQueryData<ListData<T>>(key)
  const now = data === undefined ? null : change(data)
  if (now === null) await queries.invalidateQueries({ queryKey: key, exact: true })
  else queries.setQueryData<ListData<T>>(key, now)
}

async function changedRow<T>(list: RowByRow<T>, id: string) {
  const row = await list.read(id)
  return (data: ListData<T>) => withRow(data, list, id, row)
}

const newest =
  <T>(log: Log<T>, first: Page<T>) =>
  (data: ListData<T>) =>
    withNewest(data, log, first)

/** A page that is being read would bring back the others as they were when it began. */
export async function settled(query: Query): Promise<void> {
  while (query.state.fetchStatus === 'fetching') await query.promise?.catch(() => undefined)
}
