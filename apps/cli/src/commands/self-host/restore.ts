import { resolve } from 'node:path'
import { OperationError } from '../../failures.ts'
import { runBackups } from '../../self-host/backups.ts'
import { placesOf } from '../../self-host/places.ts'
import type { Configure } from '../groups.ts'

interface Flags {
  readonly from: string
  readonly masterKeyFile?: string
  readonly gatewayKeyFile?: string
  readonly withoutSecrets?: true
  readonly resume?: true
  readonly compose?: true
  readonly build: boolean
  readonly json?: true
}

export const restore: Configure = (command, cli) => {
  command
    .requiredOption('--from <backup>', 'its folder, svc-backup-<time>-<id>, or the same in a bucket')
    .option('--master-key-file <file>', 'the master key that it was taken with, unless it is in the backup')
    .option('--gateway-key-file <file>', 'the same of the key that seals keys of model providers')
    .option('--without-secrets', 'where the master key is lost: what it sealed is left out')
    .option('--resume', 'open the platform afterwards; without it a person looks first')
    .option(
      '--compose',
      'into containers, as `start --compose` runs them; a folder that has them needs no word',
    )
    .option('--no-build', 'with --compose: the images are there')
    .option('--json', 'print what was done as JSON')
    .action(async (flags: Flags) => {
      const places = await placesOf(cli.io.env)
      const at = (path: string) =>
        path.startsWith('s3://') ? path : resolve(cli.io.cwd, path.replace(/^file:\/\//, ''))
      const place = at(flags.from)
      const words = [
        ...['--from', place],
        ...(flags.withoutSecrets ? ['--without-secrets'] : []),
        ...(flags.resume ? ['--resume'] : []),
        ...(flags.json ? ['--json'] : []),
      ]
      const file = (path: string | undefined) => (path === undefined ? undefined : at(path))
      const key_files = { master: file(flags.masterKeyFile), gateway: file(flags.gatewayKeyFile) }
      const { compose = false, build } = flags
      if ((await runBackups(cli, places, { verb: 'restore', words, place, compose, build, key_files })) !== 0)
        throw new OperationError(
          'the backup was not restored',
          'mend what the lines above say; one that was begun goes on with the same command',
        )
    })
}
