import type { InboxItem } from '@svc/sdk'

type Item = Pick<InboxItem, 'item_id' | 'version'>

const wantedKey = 'svc.notifications'
const saidKey = 'svc.notified'
const max = 500

/** True in a browser in which the person switched them on, and which still allows them. */
export function notificationsWanted(): boolean {
  return (
    'Notification' in globalThis &&
    Notification.permission === 'granted' &&
    localStorage.getItem(wantedKey) === 'on'
  )
}

/** Asks the browser when they are switched on. What waits already is on the page, and is not told again. */
export async function switchNotifications(wanted: boolean, waiting: readonly Item[]): Promise<boolean> {
  if (!wanted || (await Notification.requestPermission()) !== 'granted') {
    localStorage.removeItem(wantedKey)
    return false
  }
  takeUntold(waiting)
  localStorage.setItem(wantedKey, 'on')
  return true
}

/** A thing that waits, at one version of it. */
export function markOf({ item_id, version }: Item): string {
  return `${item_id}@${version}`
}

/** Those that no tab of this browser has told yet, which from now on count as told. */
export function takeUntold<T extends Item>(items: readonly T[]): readonly T[] {
  const said = marksSaid()
  const untold = items.filter((item) => !said.includes(markOf(item)))
  if (untold.length > 0)
    localStorage.setItem(saidKey, JSON.stringify([...said, ...untold.map(markOf)].slice(-max)))
  return untold
}

function marksSaid(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(saidKey) ?? '[]')
    return Array.isArray(kept) ? kept.filter((mark) => typeof mark === 'string') : []
  } catch {
    return []
  }
}
