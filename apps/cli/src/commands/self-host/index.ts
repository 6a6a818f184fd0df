import type { Configure } from '../groups.ts'
import { backup } from './backup.ts'
import { configure } from './configure.ts'
import { env } from './env.ts'
import { logs } from './logs.ts'
import { restore } from './restore.ts'
import { start } from './start.ts'
import { stop } from './stop.ts'

export const selfHost: Configure = (group, cli) => {
  start(group.command('start').description('start the platform of this checkout in the background'), cli)
  stop(group.command('stop').description('stop it, with its sandboxes and its database'), cli)
  logs(group.command('logs').description('what it logged'), cli)
  backup(
    group.command('backup').description('write all that it keeps into a folder, while it runs or not'),
    cli,
  )
  restore(group.command('restore').description('put a backup into an empty data folder'), cli)
  configure(group.command('configure').description('be asked for the settings that people change'), cli)
  env(group.command('env').description('the settings that it starts with'), cli)
}
