/** The numbers of monitors, each written once. Times are in milliseconds. */
export const monitorLimits = {
  /** A line is cut here, its note included. */
  line_bytes: 8 * 1024,
  /** Events of one monitor: so many at once, and one more each minute. */
  burst: 30,
  event_every_ms: 60_000,
  /** A monitor that says more is not listened to for so long. */
  suppressed_ms: 10 * 60_000,
  /** Restarts of a stream within the window; one more and it is given up. */
  restarts: 5,
  restart_window_ms: 10 * 60_000,
  restart_first_ms: 1_000,
  max_restart_ms: 60_000,
  /** A run of a poll that lasts longer is ended. */
  poll_run_ms: 10 * 60_000,
} as const

/**
 * starting: its sandbox is on the way up. running. restarting: its stream ended and begins again in a moment. silent:
 * nothing was heard within `expect_event_within`. exhausted: it ended too often and is given up. paused: no sandbox
 * runs it.
 */
export const monitorStates = ['starting', 'running', 'restarting', 'silent', 'exhausted', 'paused'] as const
export type MonitorState = (typeof monitorStates)[number]

/** The events of a monitor itself, beside the lines of its command. */
export const lifecycleKinds = ['exit', 'silence', 'restart_budget_exhausted'] as const
export type LifecycleKind = (typeof lifecycleKinds)[number]
