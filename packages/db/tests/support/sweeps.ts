import {
  checkRuns,
  deletedSessions,
  evictions,
  jobFailures,
  manifestEdits,
  merges,
  monitorHosts,
  previews,
  runningSandboxes,
  sandboxes,
  sessionCreates,
  sessionWork,
  triggerDeliveries,
  triggerFires,
  triggers,
  type Db,
} from '../../src/index.ts'

const limit = 500
const providers = ['memory']

type Sweep = readonly [what: string, sweep: (db: Db) => Promise<unknown>]

/**
 * The statements with which idle services look for work, by the words that say for which, as they are when that moment is
 * the latest that counts: one in the future has everything that lives be due.
 */
export function sweepsAt(soon: Date): readonly Sweep[] {
  const idle = { now: soon, idle_since: soon, trigger_idle_since: soon }
  /** It writes what it takes, to every index of the row. */
  const unseen = { providers, others: [], before: soon, now: soon, limit: 1 }
  return [
    ['undelivered prompts', (db) => sessionWork.listUndelivered(db, { quiet_since: soon, wakes: 3, limit })],
    ['owed work', (db) => sessionWork.listOwed(db, { quiet_since: soon, limit })],
    ['owed secrets', (db) => sessionWork.listOwedSecrets(db, limit)],
    ['abandoned sessions', (db) => sessionWork.listAbandoned(db, { since: soon, silence_ms: 0, limit })],
    ['running sandboxes', (db) => runningSandboxes.list(db, { providers, others: [] })],
    ['running sandboxes, one at a time', (db) => runningSandboxes.takeUnchecked(db, unseen)],
    [
      'silent sandboxes',
      (db) => runningSandboxes.listSilent(db, { lease_before: soon, unreachable_before: soon }, limit),
    ],
    ['evictions', (db) => evictions.list(db, { now: soon, limit })],
    ['idle sandboxes', (db) => sandboxes.listIdle(db, idle, limit)],
    ['waiting sessions', (db) => sessionCreates.listAccounts(db, limit)],
    ['merges', (db) => merges.listOwedAttempts(db, soon, limit)],
    ['edits of manifests', (db) => manifestEdits.listOwed(db, soon, limit)],
    ['due triggers', (db) => triggers.claimDue(db, soon)],
    ['the next due trigger', (db) => triggers.nextDue(db)],
    ['owed fires', (db) => triggerFires.claimOwed(db, soon)],
    ['the next owed fire', (db) => triggerFires.nextOwed(db)],
    ['hosts of monitors', (db) => monitorHosts.insertWanted(db)],
    ['old fires', (db) => triggerFires.removeOlder(db, new Date(0), limit)],
    ['old deliveries', (db) => triggerDeliveries.removeOlder(db, new Date(0), new Date(0), limit)],
    ['deleted sessions', (db) => deletedSessions.list(db, { before: new Date(0), limit })],
    ['old attempts to merge', (db) => merges.removeFinished(db, new Date(0), limit)],
    ['old edits of manifests', (db) => manifestEdits.removeFinished(db, new Date(0), limit)],
    ['old failures of jobs', (db) => jobFailures.removeOlder(db, new Date(0), limit)],
    ['lost runs of checks', (db) => checkRuns.listLost(db, new Date(0), limit)],
    ['previews that are over', (db) => previews.removeExpired(db, soon, limit)],
  ]
}
