import type { Configure } from '../groups.ts'
import { add } from './add.ts'
import { bind } from './bind.ts'
import { disable, enable } from './enabled.ts'
import { fire } from './fire.ts'
import { history } from './history.ts'
import { info } from './info.ts'
import { ls } from './ls.ts'
import { redeliver } from './redeliver.ts'
import { replay } from './replay.ts'
import { rm } from './rm.ts'

export const triggers: Configure = (group, cli) => {
  ls(group.command('ls').description('list triggers, and entries of svc.yaml that cannot be used'), cli)
  info(
    group.command('info').alias('show').description('one trigger, when it fires next and what it did'),
    cli,
  )
  fire(group.command('fire').description('fire a trigger now'), cli)
  enable(group.command('enable').description('let a trigger fire: commits to the default branch'), cli)
  disable(
    group.command('disable').description('keep a trigger from firing: commits to the default branch'),
    cli,
  )
  add(group.command('add').description('add a trigger to svc.yaml: commits to the default branch'), cli)
  rm(group.command('rm').description('take triggers out of svc.yaml: commits to the default branch'), cli)
  bind(group.command('bind').description('choose the connections of a trigger’s sessions'), cli)
  history(group.command('history').description('the ledger of a trigger, or what came for a webhook'), cli)
  replay(group.command('replay').description('fire an occurrence of the ledger again'), cli)
  redeliver(group.command('redeliver').description('fire a delivery of a webhook again'), cli)
}
