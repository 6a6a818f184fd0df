import type { inbox as routes } from '@svc/contract'
import type { Http } from '../http/transport.ts'
import type { RequestOptions } from '../options.ts'
import { changesStream } from '../stream/changes-stream.ts'
import type { StreamOptions } from '../stream/resumed-stream.ts'
import type {
  ActOnInboxInput,
  ChangeEvent,
  Inbox,
  InboxActResult,
  InboxCount,
  InboxQuery,
  MarkInboxItemInput,
} from '../types.ts'

/** The items that wait for the person, over all projects. */
export interface InboxResource {
  /** Asks by the time at which they expire, then the others, newest first; `counts` are of everything. */
  list(query?: InboxQuery, options?: RequestOptions): Promise<Inbox>
  count(options?: RequestOptions): Promise<InboxCount>
  /** Puts one version of an item aside. 409 `ASK_PENDING` for an ask: `sessions.asks.answer` ends it. */
  mark(item_id: string, input: MarkInboxItemInput, options?: RequestOptions): Promise<void>
  /** Up to 50 items, each on its own. */
  act(items: ActOnInboxInput['items'], options?: RequestOptions): Promise<InboxActResult[]>
  /** The same as `client.changes()`: `hello`, then each change after which something else may wait. Read anew with each. */
  watch(options?: Omit<StreamOptions, 'after'>): AsyncIterableIterator<ChangeEvent>
}

const base = '/v1/inbox'

export function inbox(http: Http): InboxResource {
  return {
    list: (query = {}, options = {}) =>
      http.call<typeof routes.getInbox>(`GET ${base}`, { ...options, query }),
    count: (options = {}) => http.call<typeof routes.countInbox>(`GET ${base}/count`, options),
    mark: (item_id, body, options = {}) =>
      http.call<typeof routes.markInboxItem>(`PUT ${base}/{item_id}`, {
        ...options,
        params: { item_id },
        body,
      }),
    act: async (items, options) =>
      (await http.call<typeof routes.actOnInbox>(`POST ${base}/act`, { ...options, body: { items } }))
        .results,
    watch: (options = {}) => changesStream(http, options),
  }
}
