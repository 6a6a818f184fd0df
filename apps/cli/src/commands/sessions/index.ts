import type { Configure } from '../groups.ts'
import { abort } from './abort.ts'
import { answer } from './answer.ts'
import { asks } from './asks.ts'
import { cancelPrompt } from './cancel-prompt.ts'
import { chat } from './chat.ts'
import { connectors } from './connectors.ts'
import { diff } from './diff.ts'
import { info } from './info.ts'
import { ls } from './ls.ts'
import { create } from './new.ts'
import { open } from './open.ts'
import { options } from './options.ts'
import { preview } from './preview.ts'
import { prompts } from './prompts.ts'
import { refresh } from './refresh.ts'
import { restart } from './restart.ts'
import { rm } from './rm.ts'
import { set } from './set.ts'
import { start } from './start.ts'
import { stop } from './stop.ts'
import { transcript } from './transcript.ts'

export const sessions: Configure = (group, cli) => {
  ls(group.command('ls').description('list sessions, newest first'), cli)
  info(group.command('info').alias('show').description('one session'), cli)
  diff(group.command('diff').description('what a session changed, saved work included'), cli)
  create(group.command('new').description('start a session'), cli)
  chat(group.command('chat').alias('talk').description('talk to the agent of a session'), cli)
  transcript(group.command('transcript').alias('log').description('what was said in a session'), cli)
  prompts(group.command('prompts').description('what was sent to the agent, oldest first'), cli)
  cancelPrompt(group.command('cancel-prompt').description('withdraw a prompt whose turn has not begun'), cli)
  asks(group.command('asks').description('what the agent waits for a person to answer'), cli)
  answer(group.command('answer').description('answer a permission or a question of the agent'), cli)
  connectors(group.command('connectors').description('the connections that a session calls with'), cli)
  options(group.command('options').description('what can be set of the agent while it runs'), cli)
  set(group.command('set').description('set an option of the agent, such as its mode or model'), cli)
  preview(group.command('preview').description('the address of a program in a session’s sandbox'), cli)
  open(group.command('open').description('look at a session in the dashboard'), cli)
  refresh(group.command('refresh').description('pull the branch of a session again, in its sandbox'), cli)
  abort(group.command('abort').description('end what the agent of a session works on'), cli)
  stop(group.command('stop').description('stop its sandbox; its files and its conversation stay'), cli)
  start(group.command('start').description('start the sandbox of one that is stopped'), cli)
  restart(group.command('restart').description('give a session a new sandbox, on the same branch'), cli)
  rm(group.command('rm').description('delete a session and its sandbox; the branch stays'), cli)
}
