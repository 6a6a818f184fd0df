import type { Configure } from '../../groups.ts'
import { add } from './add.ts'
import { deliveries } from './deliveries.ts'
import { ls, show } from './read.ts'
import { ping, replay, rm, rotate, set } from './write.ts'

export const subscriptions: Configure = (group, cli) => {
  ls(group.command('ls').description('who is told of what'), cli)
  add(group.command('add').description('tell an address; prints the secret of its signatures once'), cli)
  show(group.command('show').alias('info').description('one subscription'), cli)
  set(group.command('set').description('change one, or enable it again'), cli)
  rm(group.command('rm').description('remove one, with its log'), cli)
  rotate(group.command('rotate').description('a new secret; the one before signs as well for a while'), cli)
  ping(group.command('ping').description('send a trial event'), cli)
  deliveries(
    group.command('deliveries').description('what was sent, newest first; with an id its tries'),
    cli,
  )
  replay(group.command('replay').description('send one event, or those of a time, once more'), cli)
}
