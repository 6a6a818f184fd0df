import type { Configure } from '../groups.ts'
import { act } from './act.ts'
import { ls } from './ls.ts'
import { show } from './show.ts'
import { submit } from './submit.ts'
import { withdraw } from './withdraw.ts'

export const review: Configure = (group, cli) => {
  ls(group.command('ls').description('list review items'), cli)
  show(
    group.command('show').alias('info').description('one review item, with its files and its verdict'),
    cli,
  )
  submit(group.command('submit').description('ask people to look at work, or to choose'), cli)
  act(group.command('act').description('give a verdict'), cli)
  withdraw(group.command('withdraw').description('take back an item without a verdict'), cli)
}
