import type { InboxKind } from '@svc/facts'
import type { InboxItem, Client } from '@svc/sdk'

/** Items that wait, and those that come to wait from then on: each version of one once. */
export async function* newItems(
  client: Client,
  kind: InboxKind | undefined,
): AsyncGenerator<InboxItem, void, undefined> {
  let known = new Set<string>()
  for await (const _ of client.inbox.watch()) {
    const { items } = await client.inbox.list({ limit: 200, ...(kind && { kind }) })
    const versions = items.map(({ item_id, version }) => `${item_id} ${version}`)
    for (const [at, item] of items.entries()) if (!known.has(versions[at] ?? '')) yield item
    known = new Set(versions)
  }
}
