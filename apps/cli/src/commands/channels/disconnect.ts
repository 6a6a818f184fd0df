import { OperationError, UsageError } from '../../failures.ts'
import { ask, canAsk } from '../../output/ask.ts'
import { type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

interface Flags extends ProjectFlag {
  readonly yes?: true
}

export const disconnect: Configure = (command, cli) => {
  projectFlag(command.argument('<slug>'))
    .option('--yes', 'do not ask')
    .action(async (slug: string, { yes, project }: Flags) => {
      if (!yes && !canAsk(cli.io))
        throw new UsageError('there is no terminal to ask on', `svc channels disconnect ${slug} --yes`)
      const { client, project_id } = await cli.project(project)
      const answer = yes ? 'y' : await ask(cli.io, `Disconnect ${slug}, and destroy its credentials? [y/N] `)
      if (!/^y(es)?$/i.test(answer?.trim() ?? '')) throw new OperationError('nothing was disconnected')
      await client.projects.channels.disconnect(project_id, slug)
      cli.out.line(`Disconnected ${slug}. Its threads stay.`)
    })
}
