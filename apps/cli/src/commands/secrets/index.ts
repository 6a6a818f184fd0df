import type { Configure } from '../groups.ts'
import { log } from './log.ts'
import { ls } from './ls.ts'
import { set } from './set.ts'
import { unset } from './unset.ts'

export const secrets: Configure = (group, cli) => {
  ls(group.command('ls').description('names of the secrets, and which required ones are missing'), cli)
  set(
    group.command('set').description('set secrets: NAME=VALUE, or NAME=- to read the value from stdin'),
    cli,
  )
  unset(group.command('unset').description('delete secrets'), cli)
  log(group.command('log').description('which session was given which secrets, newest first'), cli)
}
