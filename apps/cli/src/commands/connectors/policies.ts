import type { Cli } from '../../cli.ts'
import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { actionArgument, type ArgsFlags, argsFlags, namedAction, readArgs } from './action-argument.ts'

type Flags = JsonFlag & ProjectFlag & ArgsFlags

export const policies: Configure = (group, cli: Cli) => {
  const test = group.command('test').description('what would become of a call, and why; it calls nothing')
  projectFlag(jsonFlag(argsFlags(actionArgument(test)))).action(async (given: string, flags: Flags) => {
    const { connector, action } = namedAction(given)
    const args = await readArgs(cli.io, flags)
    const { client, project_id } = await cli.project(flags.project)
    const said = await client.projects.connectors.testPolicy(project_id, connector, { action, args })
    if (flags.json) return cli.out.json(said)
    const { source, index, match } = said.rule
    cli.out.line(`${said.decision.replace('_', ' ')}  (${said.risk})`)
    cli.out.line(
      source === 'policy'
        ? `by rule ${index ?? ''}, ${oneLine(match ?? '')}`
        : source === 'changed'
          ? 'because the action changed since it was accepted'
          : 'by the default of the connector',
    )
    for (const step of said.steps)
      cli.out.line(`  ${step.index}  ${oneLine(step.match)}  ${step.matched ? 'matches' : oneLine(step.why)}`)
    if (said.hidden) cli.out.note('No arguments let it through: agents do not see it.')
  })
}
