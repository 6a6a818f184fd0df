import { useNavigate } from '@tanstack/react-router'
import { useInbox } from './use-inbox.ts'

/** Leads to the next thing that waits for the person. */
export function useNextItem(): () => void {
  const navigate = useNavigate()
  const next = useInbox().data?.items[0]
  return () => {
    if (next !== undefined) void navigate({ to: next.path })
  }
}
