const timeoutMs = 2_000

/**
 * True when this tab may go on with a sign-in. A duplicated tab brings a copy of what the first one keeps, and a
 * refresh token that came twice ends the sign-in of both: so the copy signs in by itself. A reload waits for the page
 * before it.
 */
export async function holdSignIn(id: string): Promise<boolean> {
  // Only pages on https or on this computer have it; others cannot tell.
  if (!('locks' in navigator)) return true
  return new Promise((resolve) => {
    const held = () => {
      resolve(true)
      // Until the tab is gone.
      return new Promise<never>(() => undefined)
    }
    const signal = AbortSignal.timeout(timeoutMs)
    navigator.locks.request(`svc.sign-in.${id}`, { signal }, held).catch(() => resolve(false))
  })
}
