import type { Configure } from '../groups.ts'
import { approve, deny } from './decide.ts'
import { ls } from './ls.ts'
import { show } from './show.ts'

export const approvals: Configure = (group, cli) => {
  ls(group.command('ls').description('connector calls that wait for a person'), cli)
  show(group.command('show').alias('info').description('one of them, with every argument'), cli)
  approve(group.command('approve').description('let it be carried out as it is shown, once'), cli)
  deny(group.command('deny').description('decide against it'), cli)
}
