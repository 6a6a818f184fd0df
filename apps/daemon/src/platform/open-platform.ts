import { join } from 'node:path'
import { sandboxIdentity } from '@svc/contract/sandbox'
import { z } from 'zod'
import type { DaemonEnv } from '../env.ts'
import { daemonLimits } from '../limits.ts'
import type { Log } from '../log.ts'
import { createLease, type Lease } from './lease.ts'
import { Outbox, type OutboxEntry } from './outbox.ts'
import { createPlatformApi, type PlatformApi } from './platform-api.ts'
import { openSpoolFile } from './spool-file.ts'
import { createWatchdog } from './watchdog.ts'

export interface Platform {
  readonly api: PlatformApi
  readonly outbox: Outbox
  readonly lease: Lease
  close(): Promise<void>
}

/** A spooled report is read back as what it was when it was written. */
const Entry = z.union([
  z.object({ kind: z.literal('event'), event: sandboxIdentity.ReportedEvent }),
  z.object({
    kind: z.literal('report'),
    report: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('runtime_session'), runtime_session_id: z.string() }),
      z.object({ kind: z.literal('turn_begin'), prompt_id: z.string().optional() }),
      z.object({
        kind: z.literal('turn_end'),
        prompt_id: z.string().optional(),
        status: z.enum(['completed', 'error', 'aborted', 'interrupted']),
        error: z.string().optional(),
      }),
    ]),
  }),
  z.object({ kind: z.literal('question'), request_id: z.string(), questions: z.array(z.unknown()) }),
  z.object({
    kind: z.literal('permission'),
    request_id: z.string(),
    permission: z.string(),
    patterns: z.array(z.string()),
  }),
])

function readEntry(value: unknown): OutboxEntry | null {
  const parsed = Entry.safeParse(value)
  return parsed.success ? withoutUndefined(parsed.data) : null
}

/** Named boundary: JSON has no undefined, so that an optional key of a parsed line is there or is not. */
function withoutUndefined(entry: z.infer<typeof Entry>): OutboxEntry {
  return JSON.parse(JSON.stringify(entry)) as OutboxEntry
}

const lastReportsMs = 1_500
const touchMs = 5_000

/** The platform as this sandbox sees it. */
export function openPlatform(env: DaemonEnv, log: Log, onAbandoned: () => void): Platform {
  const identity = { api_url: env.api_url, project_id: env.project_id, session_id: env.session_id }
  const api = createPlatformApi({
    ...identity,
    service_key: env.service_key ?? '',
    onContact: () => watchdog.onContact(),
  })
  const watchdog = createWatchdog({
    probe: async () => api.report({ kind: 'execution_lease_discover' }),
    onSilence: onAbandoned,
    everyMs: daemonLimits.platformProbeMs,
    silenceMs: daemonLimits.platformSilenceMs,
    log,
  })
  const outbox = new Outbox({
    api,
    spool: openSpoolFile(join(env.state_dir, 'outbox.jsonl'), log),
    log,
    limits: daemonLimits,
  })
  outbox.resume(readEntry)
  const lease = createLease({
    heartbeat: () =>
      api.report({ kind: 'execution_heartbeat', lease_ttl_seconds: daemonLimits.leaseTtlSeconds }),
    release: () =>
      outbox.addPassing({ kind: 'report', report: { kind: 'execution_lease_release' } }, () => !lease.busy),
    touch: async (url, headers) => {
      const answer = await fetch(url, { headers, signal: AbortSignal.timeout(touchMs) })
      await answer.body?.cancel()
    },
    everyMs: daemonLimits.leaseRenewMs,
    log,
  })
  return {
    api,
    outbox,
    lease,
    close: async () => {
      watchdog.close()
      lease.close()
      await outbox.close(lastReportsMs)
    },
  }
}
