import { connectorCalls, createDatabase } from '@svc/db'
import { openDoor } from '../../../../apps/executor/src/door.ts'
import { executorKey } from '../../src/executor/remote/signature.ts'
import { childParts, type ChildSettings } from './child-parts.ts'
import { executorQueries, heldExecutor } from './held-executor.ts'
import { heldDatabase, letGo, withLine } from './held-lines.ts'

export interface DoorSettings extends ChildSettings {
  /** The lines at which the calls of sessions stop. */
  readonly lines: Readonly<Record<string, string>>
}

/** A word of the test. */
export interface DoorMessage {
  readonly now?: string
  /** The job of a call that was approved. */
  readonly execute?: string
  /** The session whose call goes on. */
  readonly go?: string
}

/** An executor with its door in a process of its own, whose calls stop at the lines of their sessions. */
const [given = '{}'] = process.argv.slice(2)
const settings = JSON.parse(given) as DoorSettings
let at = new Date(settings.now)
const plain = createDatabase(settings.connection_string, { max: 4 })
const db = heldDatabase(createDatabase(settings.connection_string, { max: 60 }), executorQueries)
const parts = await childParts(settings, { db, now: () => at, name: 'executor' })
const executor = heldExecutor(parts)

async function heldCall(call_id: string, work: () => Promise<void>): Promise<void> {
  const session_id = (await connectorCalls.find(plain, call_id))?.session_id ?? ''
  await withLine({ session_id, line: settings.lines[session_id] ?? 'none' }, work)
}

process.on('message', ({ now, execute, go }: DoorMessage) => {
  if (now !== undefined) at = new Date(now)
  if (execute !== undefined) void heldCall(execute, () => executor.execute({ call_id: execute }))
  if (go !== undefined) letGo(go)
})
process.on('disconnect', () => process.exit(1))
const door = await openDoor({
  executor: {
    ...executor,
    run: (call) => heldCall(call.call_id, async () => void (await executor.run(call))).then(() => undefined),
  },
  ...{ keys: [executorKey(settings.master_key)], host: '127.0.0.1', port: 0 },
  ...{ log: parts.log, now: () => new Date() },
})
process.send?.({ port: door.port })
