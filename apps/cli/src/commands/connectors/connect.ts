import { OperationError, UsageError } from '../../failures.ts'
import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag, repeated } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { readCredential } from './credential-fields.ts'
import { signIn } from './sign-in.ts'

interface Flags extends JsonFlag, ProjectFlag {
  readonly personal?: true
  readonly label?: string
  readonly default: boolean
  readonly field?: readonly string[]
  readonly signIn?: true
}

export const connect: Configure = (command, cli) => {
  command
    .argument('<slug>')
    .option('--personal', 'your own: for your calls, and the sessions that you start yourself')
    .option('--label <text>', 'what you know it by')
    .option('--no-default', 'leave the default as it is')
    .option('--sign-in', 'sign in at the service in a browser, where it takes a token as well')
    .option(
      '--field <NAME=->',
      'a field: - reads it from stdin, @path from a file; may be given again',
      repeated,
    )
  projectFlag(jsonFlag(command)).action(async (slug: string, flags: Flags) => {
    const { client, project_id } = await cli.project(flags.project)
    const { connectors } = client.projects
    const connector = await connectors.get(project_id, slug)
    if (flags.signIn || (connector.auth_type === null && connector.takes_sign_in && !flags.field)) {
      if (!flags.default)
        throw new UsageError(
          '--no-default is for a stored credential; a sign-in becomes the default where none works',
          `svc connectors connections ${slug} --default <id>`,
        )
      return signIn(cli, { client, project_id, slug }, flags)
    }
    if (connector.provider === 'computer')
      throw new OperationError(
        `${slug} is a person's computer, which connects itself`,
        `svc connectors serve ${slug}   on that computer`,
      )
    if (connector.auth_type === null || connector.auth_type === 'none')
      throw new OperationError(
        `${slug} takes no credential: svc.yaml gives it no auth`,
        `svc connectors tools --connector ${slug}`,
      )
    const credential = await readCredential(cli.io, connector, flags.field ?? [])
    const made = await connectors.connections.create(project_id, slug, {
      credential,
      default: flags.default,
      ...(flags.personal && { scope: 'personal' as const }),
      ...(flags.label !== undefined && { label: flags.label }),
    })
    if (flags.json) return cli.out.json(made)
    cli.out.line(`Connected ${slug} as ${oneLine(made.label)} (${made.scope})  ${made.connection_id}`)
    if (made.origin !== null) cli.out.note(`It is sent to ${oneLine(made.origin)} alone.`)
  })
}
