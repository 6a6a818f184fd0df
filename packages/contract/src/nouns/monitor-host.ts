import { z } from '@hono/zod-openapi'
import { lifecycleKinds, monitorStates } from '@svc/trigger'
import { monitorModes, slugPattern } from '@svc/facts'

/** The messages between a scheduler and the sandbox of a project's monitors: `POST /svc/monitors`. No public route. */

/** One monitor as it is to run. Times are in milliseconds. */
export const MonitorSpec = z.object({
  slug: z.string().regex(slugPattern),
  run: z.string().min(1),
  mode: z.enum(monitorModes),
  /** Null for a stream. */
  interval_ms: z.number().positive().nullable(),
  expect_within_ms: z.number().positive().nullable(),
  restart_first_ms: z.number().positive(),
  /** The texts that its lines have to hold; others are no events. */
  filter: z.record(z.string(), z.string()),
  /** The variables that its command finds in its environment beside those of the sandbox: the secrets of its agent. */
  environment: z.record(z.string(), z.string()),
})

/** The platform's progress: everything up to `seq` is in its ledger, whatever sandbox said it. */
export const MonitorCursor = z.object({
  slug: z.string(),
  epoch: z.uuid(),
  seq: z.int().min(0),
  /** Lines within this time are counted and not handed over. */
  quiet_ms: z.number().min(0),
})

export const MonitorsBody = z.object({
  /**
   * The revision of `monitors` that the platform means. A sandbox that has others answers at once, and is sent them.
   */
  revision: z.string().min(1),
  monitors: z.array(MonitorSpec).optional(),
  /** The commit that the commands are to find; the clone is brought up to date when it is another one. */
  commit: z.string().nullable(),
  cursors: z.array(MonitorCursor),
  /** Time to wait for something to hand over. */
  wait_ms: z.number().min(0).max(60_000),
})

/**
 * An entry that a monitor hands over. `first_seq` to `seq` are lines that were suppressed, counted; else both are the
 * same and `text` is a line or, with `lifecycle`, what happened.
 */
export const MonitorEntry = z.object({
  first_seq: z.int().min(1),
  seq: z.int().min(1),
  at: z.iso.datetime(),
  text: z.string().nullable(),
  lifecycle: z.enum(lifecycleKinds).nullable(),
})

export const MonitorReport = z.object({
  slug: z.string(),
  epoch: z.uuid(),
  state: z.enum(monitorStates),
  last_line_at: z.iso.datetime().nullable(),
  last_exit: z.string().nullable(),
  entries: z.array(MonitorEntry),
})

export const MonitorsAnswer = z.object({
  /** Null while the sandbox knows no monitors. */
  revision: z.string().nullable(),
  /** The sandbox's disk: another one does not know what ran. */
  host_id: z.uuid(),
  monitors: z.array(MonitorReport),
})
