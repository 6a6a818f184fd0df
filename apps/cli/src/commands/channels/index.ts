import type { Configure } from '../groups.ts'
import { connect } from './connect.ts'
import { decide, deliveries, replay } from './deliveries.ts'
import { disconnect } from './disconnect.ts'
import { link } from './link.ts'
import { links, unlink } from './links.ts'
import { ls } from './ls.ts'
import { messages } from './messages.ts'
import { send } from './send.ts'
import { set } from './set.ts'
import { show } from './show.ts'
import { test } from './test.ts'
import { threads } from './threads.ts'

export const channels: Configure = (group, cli) => {
  ls(group.command('ls').description('the chats and mailboxes of a project, with their state'), cli)
  connect(group.command('connect').description('connect one; its credentials are read or asked for'), cli)
  show(group.command('show').alias('info').description('one channel and its rules'), cli)
  set(group.command('set').description('change its rules, or give it new credentials'), cli)
  test(group.command('test').description('try whether it works, check by check'), cli)
  threads(group.command('threads').description('its threads with their sessions, newest first'), cli)
  deliveries(group.command('deliveries').description('what it received and what became of it'), cli)
  messages(group.command('messages').description('what it sent, and has to send'), cli)
  decide(group.command('decide').description('let a message that waits speak to the agent, or not'), cli)
  replay(group.command('replay').description('work on a delivery once more that failed'), cli)
  links(group.command('links').description('the people who are linked to senders; without a slug, you'), cli)
  link(group.command('link').description('let a sender act as you, by the token that the bot sent'), cli)
  unlink(group.command('unlink').description('end a link: yours, or with --channel that of another'), cli)
  send(group.command('send').description('send a message into a thread or a conversation'), cli)
  disconnect(group.command('disconnect').description('destroy its credentials; threads stay'), cli)
}
