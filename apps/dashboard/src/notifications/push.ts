import type { Client } from '@svc/sdk'

const workerUrl = '/dashboard/push-worker.js'

/** True in a browser that can be pushed to while no page is open. */
export const canBePushed = (): boolean => 'serviceWorker' in navigator && 'PushManager' in globalThis

/** The subscription of this browser, where it has one. */
export async function pushSubscription(): Promise<PushSubscription | null> {
  if (!canBePushed()) return null
  const registration = await navigator.serviceWorker.getRegistration('/dashboard/')
  return (await registration?.pushManager.getSubscription()) ?? null
}

/** Pushes to this browser from now on; false where its push service does not take part. */
export async function subscribe({ notifications }: Pick<Client, 'notifications'>): Promise<boolean> {
  if (!canBePushed()) return false
  try {
    const registration = await navigator.serviceWorker.register(workerUrl, { scope: '/dashboard/' })
    await navigator.serviceWorker.ready
    const subscription = await registration.pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: await notifications.pushKey(),
    })
    const { endpoint, keys } = subscription.toJSON()
    if (endpoint === undefined || keys?.['p256dh'] === undefined || keys['auth'] === undefined) return false
    await notifications.subscribe({ endpoint, keys: { p256dh: keys['p256dh'], auth: keys['auth'] } })
    return true
  } catch (error) {
    // The browser's own refusals: no push service, or none that it reaches. The API's are the person's to read.
    if (error instanceof DOMException) return false
    throw error
  }
}

/** Pushes to this browser no more. */
export async function unsubscribe({ notifications }: Pick<Client, 'notifications'>): Promise<void> {
  const subscription = await pushSubscription()
  if (subscription === null) return
  await notifications.unsubscribe(subscription.endpoint)
  await subscription.unsubscribe()
}
