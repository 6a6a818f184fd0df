import type { Configure } from '../groups.ts'
import { accept } from './accept.ts'
import { authorize } from './authorize.ts'
import { call } from './call.ts'
import { connect } from './connect.ts'
import { connections } from './connections.ts'
import { disconnect } from './disconnect.ts'
import { log } from './log.ts'
import { ls } from './ls.ts'
import { policies } from './policies.ts'
import { result } from './result.ts'
import { serve } from './serve.ts'
import { show } from './show.ts'
import { sync } from './sync.ts'
import { tools } from './tools.ts'

export const connectors: Configure = (group, cli) => {
  ls(group.command('ls').description('the connectors of svc.yaml, with their state'), cli)
  show(group.command('show').alias('info').description('one connector, its rules and its actions'), cli)
  tools(group.command('tools').description('the actions that you may call; with words, a search'), cli)
  call(group.command('call').description('call an action, and print its result'), cli)
  result(group.command('result').description('the result of a call that did not end at once'), cli)
  connect(
    group.command('connect').description('store a credential, read from stdin or asked for; or sign in'),
    cli,
  )
  authorize(group.command('authorize').description('sign in at a service, in two steps for scripts'), cli)
  connections(group.command('connections').description('the credentials of a connector, by name'), cli)
  disconnect(group.command('disconnect').description('forget a credential'), cli)
  serve(group.command('serve').description('serve this computer to your sessions, until Ctrl-C'), cli)
  sync(group.command('sync').description('read the actions of a connector anew'), cli)
  accept(group.command('accept').description('say that you looked at what changed of its actions'), cli)
  log(group.command('log').description('the ledger of calls, newest first'), cli)
  policies(group.command('policies').description('the rules of a connector'), cli)
}
