import type { BaseContext } from '@svc/context'
import { type Db, type sessionEvents, sessionRuntimes, type SessionRuntimeRow } from '@svc/db'
import { knownHarness } from '@svc/harness'
import { z } from 'zod'

type Measuring = Pick<BaseContext, 'metrics'>

/** The label of a harness: names of manifests are without end, and are their projects' own. */
export const harnessLabel = (name: string): string => (knownHarness(name) === undefined ? 'other' : name)

const stopReasons = new Set(['end_turn', 'max_tokens', 'max_turn_requests', 'refusal', 'cancelled'])

/** Counts a turn that ended; one of a runtime with a server of its own has other figures. */
export async function measureHarnessTurn(
  { metrics }: Measuring,
  tx: Db,
  session_id: string,
  {
    stop_reason,
    first_token_ms,
  }: { readonly stop_reason?: string | undefined; readonly first_token_ms: number | undefined },
): Promise<void> {
  const runtime = await sessionRuntimes.find(tx, session_id)
  if (runtime === undefined || runtime.settings === null) return
  const harness = harnessLabel(runtime.harness)
  if (first_token_ms !== undefined)
    metrics.observe('svc_harness_first_token_seconds', { harness }, first_token_ms / 1000)
  metrics.count('svc_harness_turns_total', {
    harness,
    stop_reason: stop_reason === undefined ? 'none' : stopReasons.has(stop_reason) ? stop_reason : 'other',
  })
}

/** Counts what a report says anew of an agent; a report that comes again says nothing new. */
export function measureRuntime(
  { metrics }: Measuring,
  before: Pick<SessionRuntimeRow, 'harness' | 'epoch' | 'state' | 'settings'> | undefined,
  said: Pick<SessionRuntimeRow, 'epoch' | 'state'> & { readonly ready_ms?: number | undefined },
): void {
  if (before === undefined || before.settings === null || said.epoch < before.epoch) return
  const harness = harnessLabel(before.harness)
  const isFresh = said.epoch > before.epoch || before.state === 'starting'
  if (isFresh && said.state === 'ready') {
    metrics.count('svc_harness_starts_total', { harness })
    if (said.ready_ms !== undefined)
      metrics.observe('svc_harness_ready_seconds', { harness }, said.ready_ms / 1000)
  }
  if (said.state === 'silent' && (isFresh || before.state !== 'silent'))
    metrics.count('svc_harness_silences_total', { harness })
}

const Unread = z.object({
  unknown_updates: z.int().nonnegative().max(1_000_000),
  garbage_lines: z.int().nonnegative().max(1_000_000),
})

/** Counts what a daemon could not read of its agent, by events that the log did not have yet. */
export async function measureUnread(
  { metrics }: Measuring,
  tx: Db,
  session_id: string,
  events: readonly sessionEvents.NewSessionEvent[],
): Promise<void> {
  const said = events.flatMap(({ type, payload }) => {
    const unread = type === 'runtime' ? Unread.safeParse(payload) : null
    return unread?.success === true ? [unread.data] : []
  })
  if (said.length === 0) return
  const runtime = await sessionRuntimes.find(tx, session_id)
  if (runtime === undefined || runtime.settings === null) return
  const harness = harnessLabel(runtime.harness)
  for (const { unknown_updates, garbage_lines } of said) {
    metrics.count('svc_harness_unread_total', { harness, kind: 'update' }, unknown_updates)
    metrics.count('svc_harness_unread_total', { harness, kind: 'line' }, garbage_lines)
  }
}
