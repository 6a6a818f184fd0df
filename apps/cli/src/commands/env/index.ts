import type { Configure } from '../groups.ts'
import { pull } from './pull.ts'
import { push } from './push.ts'

export const env: Configure = (group, cli) => {
  pull(group.command('pull').description("write the names of the project's secrets to a dotenv file"), cli)
  push(group.command('push').description('set a secret for each NAME=VALUE of a dotenv file'), cli)
}
