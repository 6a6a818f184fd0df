import type { Configure } from '../groups.ts'
import { chat } from './chat.ts'
import { info } from './info.ts'
import { ls } from './ls.ts'
import { create } from './new.ts'
import { preview } from './preview.ts'
import { restart } from './restart.ts'
import { rm } from './rm.ts'

export const sessions: Configure = (group, cli) => {
  ls(group.command('ls').description('list sessions, newest first'), cli)
  info(group.command('info').description('one session'), cli)
  create(group.command('new').description('start a session'), cli)
  chat(group.command('chat').alias('talk').description('talk to the agent of a session'), cli)
  preview(group.command('preview').description('the address of a program in a session’s sandbox'), cli)
  restart(group.command('restart').description('give a session a new sandbox, on the same branch'), cli)
  rm(group.command('rm').description('delete a session and its sandbox; the branch stays'), cli)
}
