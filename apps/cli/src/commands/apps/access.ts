import { text } from 'node:stream/consumers'
import { accessModes } from '@svc/app/states'
import type { Client, ProjectApp, UpdateProjectAppInput } from '@svc/sdk'
import { Argument } from 'commander'
import type { Cli } from '../../cli.ts'
import { OperationError, UsageError } from '../../failures.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag, repeated } from '../flags.ts'
import type { Configure } from '../groups.ts'

interface Flags extends JsonFlag, ProjectFlag {
  readonly password?: string
  readonly viewer?: readonly string[]
}

export const access: Configure = (command, cli) => {
  command.argument('<app>').addArgument(new Argument('[mode]', 'who may look').choices([...accessModes]))
  projectFlag(jsonFlag(command))
    .option('--password <->', 'the password of the mode password: - reads it from stdin')
    .option(
      '--viewer <email>',
      'a person of the account whom the mode restricted names; again for more',
      repeated,
    )
    .action(async (name: string, mode: ProjectApp['access_mode'] | undefined, flags: Flags) => {
      const { client, project_id } = await cli.project(flags.project)
      const { apps } = client.projects
      const password =
        flags.password === undefined ? undefined : await readPassword(cli, name, flags.password)
      const viewers = flags.viewer && (await viewersOf(client, project_id, flags.viewer))
      const change: UpdateProjectAppInput = {
        ...(mode && { access_mode: mode }),
        ...(password !== undefined && { password }),
        ...(viewers && { viewers }),
      }
      const changes = Object.keys(change).length > 0
      const app = changes ? await apps.update(project_id, name, change) : await apps.get(project_id, name)
      if (flags.json) return cli.out.json(app)
      cli.out.fields([
        ['app', app.name],
        ['access', app.access_mode],
        ['viewers', app.viewers.length === 0 ? null : String(app.viewers.length)],
      ])
      if (changes) cli.out.note('Visitors who were let in before have to come in again.')
    })
}

/** From stdin alone: arguments are seen by every process, and kept by shells. */
async function readPassword(cli: Cli, app: string, given: string): Promise<string> {
  const next = `svc apps access ${app} password --password - < a file with it`
  if (given !== '-') throw new UsageError('a password in the arguments can be seen by others', next)
  const password = (await text(cli.io.stdin)).replace(/\r?\n$/, '')
  if (password === '') throw new UsageError('stdin was empty', next)
  return password
}

async function viewersOf(client: Client, project_id: string, emails: readonly string[]) {
  const { account_id } = await client.projects.get(project_id)
  const members = await client.accounts.members.list(account_id)
  return emails.map((email) => {
    const member = members.find((one) => one.email?.toLowerCase() === email.toLowerCase())
    if (member === undefined)
      throw new OperationError(
        `${email} is not in the account of this project`,
        `svc members invite ${email}`,
      )
    return { user_id: member.user_id }
  })
}
