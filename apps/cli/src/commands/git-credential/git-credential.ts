import { text } from 'node:stream/consumers'
import { Argument } from 'commander'
import { OperationError } from '../../failures.ts'
import { gitUser } from '../../git-access.ts'
import type { Configure } from '../groups.ts'

/** A helper as `gitcredentials(7)` has it. Git is told the token of the login, for the platform of that login alone. */
export const gitCredential: Configure = (command, cli) => {
  command
    .addArgument(new Argument('<operation>', 'as git asks').choices(['get', 'store', 'erase']))
    .option('--at <origin>', 'the other address of the platform at which its repositories are')
    .action(async (operation: string, { at }: { at?: string }) => {
      const asked = askedOrigin(await text(cli.io.stdin))
      // The login is kept by `svc login` and ended by `svc logout`, whatever git made of it.
      if (operation !== 'get') return
      const { target, token } = await cli.connect()
      const origin = at ?? new URL(target.api_url).origin
      if (asked !== origin)
        throw new OperationError(
          `git asks for ${asked}, and the host ${target.host} is at ${origin}`,
          'link the folder again: svc projects link <id-or-slug>',
        )
      cli.out.line(`username=${gitUser}\npassword=${await token()}`)
    })
}

function askedOrigin(description: string): string {
  const said = new Map(
    description.split('\n').map((line) => {
      const [key = '', ...value] = line.split('=')
      return [key, value.join('=')] as const
    }),
  )
  return `${said.get('protocol')}://${said.get('host')}`
}
