import { basename } from 'node:path'
import type { Configure } from '../groups.ts'
import { scaffold } from './scaffold.ts'

export const init: Configure = (command, cli) => {
  command
    .option('--name <name>', "the project's name; else the folder's")
    .action(async (flags: { name?: string }) => {
      const { cwd } = cli.io
      await scaffold(cli, { folder: cwd, name: flags.name ?? basename(cwd) })
      cli.out.note('next: git add --all, git commit -m "Start the project", then svc ship')
    })
}
