import type { Configure } from '../groups.ts'
import { ls } from './ls.ts'
import { read } from './read.ts'
import { settings } from './settings.ts'
import { watch } from './watch.ts'

export const notifications: Configure = (group, cli) => {
  ls(group.command('ls').description('what you were told, the newest first'), cli)
  read(group.command('read').description('mark some as read, or all'), cli)
  settings(group.command('settings').description('the ways on which you are told of each kind'), cli)
  watch(group.command('watch').description('how much of a project you are told'), cli)
}
