/** The sign-in of this browser: a page key beside the cookie of its session, or a token of this tab alone. */
export type SignedInAs =
  { readonly kind: 'browser'; readonly page_key: string } | { readonly kind: 'token'; readonly token: string }

const browserKey = 'svc.page-key'
const tabKey = 'svc.token'
const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('svc.sign-in') : null

/** A token that is no person opens no browser session, and lives as long as its tab. */
export function kept(): SignedInAs | null {
  const page_key = localStorage.getItem(browserKey)
  if (page_key !== null) return { kind: 'browser', page_key }
  const token = sessionStorage.getItem(tabKey)
  return token === null ? null : { kind: 'token', token }
}

/** Kept for the tabs of this browser, which are told. */
export function keep(as: SignedInAs): void {
  if (as.kind === 'token') return sessionStorage.setItem(tabKey, as.token)
  localStorage.setItem(browserKey, as.page_key)
  channel?.postMessage('changed')
}

/** Another tab may have signed in since: that one stays. */
export function forget(as: SignedInAs): void {
  if (as.kind === 'token') return sessionStorage.removeItem(tabKey)
  if (localStorage.getItem(browserKey) !== as.page_key) return
  localStorage.removeItem(browserKey)
  channel?.postMessage('changed')
}

/**
 * Calls when another tab of this browser signed in or out. The message may come before the storage of that tab is seen in this
 * one; the event of the storage comes with it.
 */
export function onOtherTab(listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === browserKey || key === null) listener()
  }
  globalThis.addEventListener('storage', onStorage)
  channel?.addEventListener('message', listener)
  return () => {
    globalThis.removeEventListener('storage', onStorage)
    channel?.removeEventListener('message', listener)
  }
}
