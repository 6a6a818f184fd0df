import type { Configure } from '../groups.ts'
import { add } from './add.ts'
import { current } from './current.ts'
import { info } from './info.ts'
import { ls } from './ls.ts'
import { rm } from './rm.ts'
import { use } from './use.ts'

export const hosts: Configure = (group, cli) => {
  ls(group.command('ls').description('list the hosts'), cli)
  use(group.command('use').description('make a host the active one'), cli)
  add(group.command('add').description('add a host'), cli)
  rm(group.command('rm').description('forget a host and its token'), cli)
  info(group.command('info').description('one host, and whether it answers'), cli)
  current(group.command('current').description('the host that a call from here goes to'), cli)
}
