import type { Overview } from '@svc/sdk/admin'
import { ago } from '../../output/ago.ts'
import { type JsonFlag, jsonFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { adminClient } from './admin-client.ts'

export const overview: Configure = (command, cli) => {
  jsonFlag(command).action(async ({ json }: JsonFlag) => {
    const seen = await (await adminClient(cli)).overview()
    if (json) return cli.out.json(seen)
    cli.out.table(
      [{ header: 'WHAT' }, { header: 'STATE', flexible: true }],
      rows(seen, Date.now()).map(([what, state]) => [what, state]),
    )
  })
}

function rows(seen: Overview, now: number): [string, string][] {
  const { schema, sessions, owed, queues, processes, machines } = seen
  const numbers = Object.entries(sessions).filter(([, n]) => n > 0)
  return [
    ['release', `${seen.version} (${seen.commit})`],
    ['schema', `level ${schema.level} of ${schema.newest}, ${schema.pending.length} pending`],
    ['maintenance', seen.maintenance.mode],
    ['sessions', numbers.map(([status, n]) => `${n} ${status}`).join(', ') || 'none'],
    ...owed
      .filter((one) => one.rows > 0)
      .map(({ work, rows, oldest_seconds }): [string, string] => [
        `owed: ${work}`,
        `${rows}, the oldest for ${oldest_seconds} s`,
      ]),
    ...queues.map(({ queue, ...figures }): [string, string] => [
      `queue: ${queue}`,
      `${figures.waiting} waiting, ${figures.active} active, ${figures.delayed} delayed, ${figures.failed} failed`,
    ]),
    ['processes', processes.map(({ service, state }) => `${service} ${state}`).join(', ') || 'none'],
    ...machines.map(({ machine, provider, state, sandboxes }): [string, string] => [
      `machine: ${machine}`,
      `${provider}, ${state}, ${sandboxes.active} active, ${sandboxes.stopped} stopped`,
    ]),
    ['last backup', seen.last_backup_at === null ? 'none' : ago(seen.last_backup_at, now)],
  ]
}
