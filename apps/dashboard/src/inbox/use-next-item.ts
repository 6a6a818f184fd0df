import { useLocation, useNavigate } from '@tanstack/react-router'
import { useInbox } from './use-inbox.ts'

/** Leads to the next thing that waits for the person: the one after that which the page shows, else the first. */
export function useNextItem(): () => void {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const items = useInbox().data?.items ?? []
  return () => {
    const next = items[nextIndex(items, pathname)]
    if (next !== undefined) void navigate({ to: next.path })
  }
}

/** The place in the list to go to from an address; several things may wait at one address. */
export function nextIndex(items: readonly { readonly path: string }[], pathname: string): number {
  const shown = items.findLastIndex(({ path }) => path.split('?')[0] === pathname)
  return shown + 1 < items.length ? shown + 1 : 0
}
