import type { Configure } from '../groups.ts'
import { accept } from './accept.ts'
import { exportFiles, importFiles, verify } from './files.ts'
import { install, rm } from './installs.ts'
import { ls } from './ls.ts'
import { revoke } from './revoke.ts'
import { show } from './show.ts'

export const harnesses: Configure = (group, cli) => {
  ls(group.command('ls').description('list them, and what stands in the way of each'), cli)
  show(group.command('show').alias('info').description('one of them, its licences and installs'), cli)
  install(
    group.command('install').description('install one before a session needs it, as a platform admin'),
    cli,
  )
  rm(group.command('rm').description('remove the files of a version, as a platform admin'), cli)
  accept(
    group.command('accept').description('read a proprietary licence and accept it, as a platform admin'),
    cli,
  )
  revoke(
    group.command('revoke').description('start no more sessions under its licence, as a platform admin'),
    cli,
  )
  verify(group.command('verify').description('read every file of the installs of this machine'), cli)
  exportFiles(group.command('export').description('write an install of this machine as an archive'), cli)
  importFiles(
    group.command('import').description('take such an archive in, where no registry is reached'),
    cli,
  )
}
