import { ago } from '../../output/ago.ts'
import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { adminClient } from './admin-client.ts'
import { type ListFlags, listFlags, showPage } from './list-command.ts'

export const backups: Configure = (group, cli) => {
  listFlags(group.command('ls').description('the newest first')).action(
    async ({ json, ...query }: ListFlags) => {
      const admin = await adminClient(cli)
      const now = Date.now()
      await showPage(cli, { ...(json && { json }) }, admin.backups(query), {
        columns: [
          { header: 'STARTED' },
          { header: 'STATE' },
          { header: 'BYTES', optional: true },
          { header: 'NAME' },
          { header: 'PLACE', optional: true },
          { header: 'TROUBLE', flexible: true },
        ],
        cells: ({ started_at, state, bytes, name, target, error, missing }) => [
          ago(started_at, now),
          state,
          bytes === null ? null : String(bytes),
          name,
          target,
          error === null ? without(missing ?? []) : oneLine(error),
        ],
        none: 'No backup was taken.',
      })
    },
  )

  jsonFlag(group.command('run').description('take one now')).action(async ({ json }: JsonFlag) => {
    const asked = await (await adminClient(cli)).startBackup()
    if (json) return cli.out.json(asked)
    cli.out.line(`Asked for ${asked.backup_id}`)
    cli.out.note('A scheduler takes it: svc admin backups ls')
  })
}

const without = (missing: readonly string[]): string | null =>
  missing.length === 0 ? null : `without the repositories of ${missing.join(', ')}`
