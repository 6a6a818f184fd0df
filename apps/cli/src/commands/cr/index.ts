import type { Configure } from '../groups.ts'
import { checkout } from './checkout.ts'
import { close } from './close.ts'
import { diff } from './diff.ts'
import { ls } from './ls.ts'
import { merge } from './merge.ts'
import { open } from './open.ts'
import { reopen } from './reopen.ts'
import { requestChanges } from './request-changes.ts'
import { show } from './show.ts'

export const cr: Configure = (group, cli) => {
  ls(group.command('ls').description('list change requests'), cli)
  show(group.command('show').alias('info').description('one change request, and whether it would merge'), cli)
  diff(group.command('diff').description('what a change request changes'), cli)
  checkout(group.command('checkout').description('have the branch of a change request here'), cli)
  open(group.command('open').aliases(['new', 'create']).description('open a change request'), cli)
  merge(group.command('merge').description('merge a change request'), cli)
  requestChanges(
    group.command('request-changes').description('tell the session that opened it what to change'),
    cli,
  )
  close(group.command('close').description('close a change request without merging'), cli)
  reopen(group.command('reopen').description('reopen a closed change request'), cli)
}
