import type { Configure } from '../groups.ts'
import { clone } from './clone.ts'
import { info } from './info.ts'
import { link } from './link.ts'
import { ls } from './ls.ts'
import { open } from './open.ts'
import { unlink } from './unlink.ts'

export const projects: Configure = (group, cli) => {
  ls(group.command('ls').description('list the projects that you reach'), cli)
  info(group.command('info').description('one project'), cli)
  clone(group.command('clone').description('clone the repository of a project, and link the folder'), cli)
  link(group.command('link').description('link this folder to a project'), cli)
  unlink(group.command('unlink').description('remove the link of this folder'), cli)
  open(group.command('open').description('look at a project in the dashboard'), cli)
}
