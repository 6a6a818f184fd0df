import { urlOf } from '@svc/app'
import type { Settings } from '@svc/context'
import type { PlatformEventRow } from '@svc/db'

type Addresses = Pick<Settings, 'apps_url'>

/** The same object for lists, streams and deliveries. */
export function presentEvent(settings: Addresses, row: PlatformEventRow) {
  return {
    type: row.type,
    timestamp: row.occurred_at.toISOString(),
    id: row.event_id,
    account_id: row.account_id,
    project_id: row.project_id,
    sequence: row.seq ?? 0,
    data: row.type.startsWith('app.') ? withAddress(settings, row.data) : row.data,
  }
}

/** The row has the label of the app's host: the host itself is the operator's, and may change. */
function withAddress({ apps_url }: Addresses, data: Readonly<Record<string, unknown>>) {
  const { url: label } = data
  return { ...data, url: typeof label === 'string' && apps_url !== undefined ? urlOf(apps_url, label) : null }
}

export type PresentedEvent = ReturnType<typeof presentEvent>
