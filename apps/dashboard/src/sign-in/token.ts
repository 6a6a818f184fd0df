const key = 'svc.token'

/** The token lives as long as the tab: never in an address, a cookie or what other tabs read. */
export function keptToken(): string | null {
  return sessionStorage.getItem(key)
}

export function keepToken(token: string | null): void {
  if (token === null) sessionStorage.removeItem(key)
  else sessionStorage.setItem(key, token)
}
