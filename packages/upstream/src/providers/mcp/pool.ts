import { createHash } from 'node:crypto'
import { orAborted } from '@svc/timing'
import type { Target } from '../../shapes.ts'
import { type McpOptions, type McpSession, openSession } from './session.ts'

interface Entry {
  readonly opening: Promise<McpSession>
  session: McpSession | null
  uses: number
  idle: NodeJS.Timeout | undefined
  retired: boolean
}

interface Lease {
  readonly session: McpSession
  /** It was open before: what it was good for may be gone. */
  readonly reused: boolean
  readonly release: () => void
  /** Takes it out of use for calls to come; it closes when the last one ends. */
  readonly discard: () => void
}

export interface PoolLimits {
  readonly max_sessions: number
  readonly idle_ms: number
}

/** Sessions kept open, one a connection; the longest unused goes first. */
export function sessionPool(options: McpOptions, { max_sessions, idle_ms }: PoolLimits) {
  const entries = new Map<string, Entry>()

  function retire(key: string | null, entry: Entry): void {
    if (key !== null && entries.get(key) === entry) entries.delete(key)
    entry.retired = true
    clearTimeout(entry.idle)
    if (entry.uses === 0) void closeEntry(entry)
  }

  function find(key: string | null, target: Target): Entry {
    const found = key === null ? undefined : entries.get(key)
    if (found !== undefined && found.session?.closed !== true) return found
    const entry: Entry = {
      opening: openSession(target, options),
      session: null,
      uses: 0,
      idle: undefined,
      retired: key === null,
    }
    entry.opening.then(
      (session) => (entry.session = session),
      () => retire(key, entry),
    )
    if (key !== null) entries.set(key, entry)
    for (const [oldest, other] of entries) {
      if (entries.size <= max_sessions) break
      if (other !== entry) retire(oldest, other)
    }
    return entry
  }

  return {
    /** A session with the target's server; `signal` ends the wait alone. Throws what opening it threw. */
    async take(target: Target, signal: AbortSignal): Promise<Lease> {
      signal.throwIfAborted()
      const key = keyOf(target)
      const known = key === null ? undefined : entries.get(key)
      const entry = find(key, target)
      entry.uses++
      clearTimeout(entry.idle)
      let held = true
      const release = () => {
        if (!held) return
        held = false
        if (--entry.uses > 0) return
        if (entry.retired) void closeEntry(entry)
        else entry.idle = setTimeout(() => retire(key, entry), idle_ms).unref()
      }
      try {
        const session = await orAborted(entry.opening, signal)
        session.target = target
        if (key !== null && entries.get(key) === entry) {
          entries.delete(key)
          entries.set(key, entry)
        }
        return { session, reused: known === entry, release, discard: () => retire(key, entry) }
      } catch (error) {
        release()
        throw error
      }
    },

    async close(): Promise<void> {
      const all = [...entries]
      entries.clear()
      await Promise.all(
        all.map(([, entry]) => {
          entry.retired = true
          clearTimeout(entry.idle)
          return closeEntry(entry)
        }),
      )
    },

    size: () => entries.size,
  }
}

async function closeEntry(entry: Entry): Promise<void> {
  await entry.opening.then(
    (session) => session.close(),
    () => {},
  )
}

/** null keeps no session: two projects must not share what a server remembers. */
function keyOf({ connector, session_scope }: Target): string | null {
  if (session_scope === undefined || connector.provider !== 'mcp') return null
  const { slug, url, transport, headers, auth } = connector
  const digest = createHash('sha256')
    .update(JSON.stringify([url, transport, headers, auth]))
    .digest('hex')
  return `${session_scope}/${slug}/${digest}`
}
