import { limits } from '@svc/contract/sandbox'
import { maxFileBytes } from '@svc/facts'

/** The numbers of the daemon, each written once. */
export const daemonLimits = {
  /** A platform that never comes back leaves nothing running: the daemon ends itself after this long. */
  platformSilenceMs: 15 * 60_000,
  platformProbeMs: 30_000,
  platformRequestMs: 10_000,
  leaseTtlSeconds: limits.leaseTtlSeconds,
  leaseRenewMs: limits.leaseRenewSeconds * 1000,
  outboxEntries: 10_000,
  outboxBytes: 64 * 1024 * 1024,
  eventsPerReport: 500,
  bytesPerReport: 1024 * 1024,
  messageChars: 256 * 1024,
  toolChars: 64 * 1024,
  deltaMs: 100,
  outputMs: 250,
  /** Of what a running tool prints: with the envelope it fits into one notification of PostgreSQL. */
  outputTailChars: 2_000,
  journal: { events: 2_000, chars: 16 * 1024 * 1024 },
  sseHeartbeatMs: 15_000,
  runtimeReadyMs: 60_000,
  runtimeRestarts: { count: 5, windowMs: 10 * 60_000 },
  cloneAttempts: 6,
  checkpointGitMs: 90_000,
  /** A larger file is not saved. */
  checkpointFileBytes: 512 * 1024 * 1024,
  /** While the agent works for long, its work is saved this often. */
  checkpointMs: 120_000,
  /** A turn that runs when the sandbox is to end may end by itself within this. */
  drainTurnMs: 1_500,
  drainReportsMs: 1_500,
  /** A turn that is cut short has this long to say so. */
  farewellMs: 700,
  /** A drained sandbox that the platform does not end goes on after this. */
  drainedMs: 60_000,
  historyChars: 48_000,
  runtimeFacts: limits.runtimeFacts,
  eventIdChars: limits.eventIdChars,
  stopReasonChars: limits.stopReasonChars,
  stopMs: 4_500,
  promptBytes: limits.promptBytes,
  jsonBodyBytes: limits.jsonBodyBytes,
  fileBytes: 16 * 1024 * 1024,
  /** Of a file that comes with a message. */
  inboxFileBytes: maxFileBytes,
} as const
