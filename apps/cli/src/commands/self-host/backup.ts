import { resolve } from 'node:path'
import { OperationError } from '../../failures.ts'
import { runBackups } from '../../self-host/backups.ts'
import { placesOf } from '../../self-host/places.ts'
import type { Configure } from '../groups.ts'

interface Flags {
  readonly to: string
  readonly since?: string
  readonly withMasterKey?: true
  readonly json?: true
}

export const backup: Configure = (command, cli) => {
  command
    .requiredOption('--to <place>', 'a folder, or s3://bucket/prefix; the backup is a new folder in it')
    .option('--since <backup>', 'copy what did not change since that one of the same place; else the newest')
    .option('--with-master-key', 'put the master keys into it too: its readers then read every secret')
    .option('--json', 'print what was written as JSON')
    .action(async ({ to, since, withMasterKey, json }: Flags) => {
      const places = await placesOf(cli.io.env)
      const place = to.startsWith('s3://') ? to : resolve(cli.io.cwd, to.replace(/^file:\/\//, ''))
      const words = [
        ...['--to', place],
        ...(since === undefined ? [] : ['--since', since]),
        ...(withMasterKey ? ['--with-master-key'] : []),
        ...(json ? ['--json'] : []),
      ]
      const asked = { verb: 'backup', words, place, compose: false, build: false, key_files: {} } as const
      if ((await runBackups(cli, places, asked)) !== 0)
        throw new OperationError('no backup was taken', 'mend what the lines above say')
    })
}
