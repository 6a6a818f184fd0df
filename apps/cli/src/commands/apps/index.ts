import type { Configure } from '../groups.ts'
import { access } from './access.ts'
import { env } from './env.ts'
import { info } from './info.ts'
import { logs } from './logs.ts'
import { ls } from './ls.ts'
import { open } from './open.ts'
import { release } from './release.ts'
import { rollback } from './rollback.ts'
import { start, stop } from './stop-start.ts'

export const apps: Configure = (group, cli) => {
  ls(group.command('ls').description('list the apps of svc.yaml, their addresses and what they show'), cli)
  info(group.command('info').alias('show').description('one app, who may look at it and its releases'), cli)
  release(
    group.command('release').description('make a release by hand, or the preview of a change request'),
    cli,
  )
  rollback(group.command('rollback').description('lead the address back to an earlier release'), cli)
  logs(group.command('logs').description('the log of an app, or of one release'), cli)
  open(group.command('open').description('open an app in the browser, signed in'), cli)
  stop(group.command('stop').description('answer visitors that the app is stopped'), cli)
  start(group.command('start').description('show a stopped app again'), cli)
  env(group.command('env').description('the variables of an app, by name'), cli)
  access(group.command('access').description('who may look at an app, or a change of that'), cli)
}
