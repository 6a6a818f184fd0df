import { checkedRows, sequences } from '@svc/db'
import type { Check, CheckContext, Found } from './check.ts'

/** A counter below the rows that it numbers: a sequence of the database, or the log of a live session. */
export const sequenceBehind: Check = {
  name: 'sequence_behind',
  worker: 'merge',
  of: 'platform',
  run: async (ctx) => [...(await ofTheDatabase(ctx)), ...(await ofLogs(ctx))],
}

async function ofTheDatabase({ db }: CheckContext): Promise<Found[]> {
  const found: Found[] = []
  for (const column of await sequences.columns(db)) {
    const { counter, highest } = await sequences.standing(db, column)
    if (counter >= highest) continue
    found.push({
      severity: 'error',
      project_id: null,
      subject: `sequences/${column.sequence}`,
      message: `The sequence is at ${counter}, and ${column.table}.${column.column} has ${highest} already`,
      repair: async () => {
        await sequences.raise(db, column, highest)
        return true
      },
    })
  }
  return found
}

async function ofLogs({ db }: CheckContext): Promise<Found[]> {
  const behind = await checkedRows.eventSeqsBehind(db)
  return behind.map(({ subject: session_id, counter, highest }) => ({
    severity: 'error',
    project_id: null,
    subject: `sessions/${session_id}`,
    message: `The log of the session counts to ${counter}, and has an event ${highest} already`,
    repair: () => checkedRows.raiseEventSeq(db, session_id),
  }))
}
