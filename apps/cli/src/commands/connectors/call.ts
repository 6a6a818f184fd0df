import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { actionArgument, type ArgsFlags, argsFlags, namedAction, readArgs } from './action-argument.ts'
import { printOutcome } from './print-outcome.ts'

interface Flags extends JsonFlag, ProjectFlag, ArgsFlags {
  readonly wait: boolean
  readonly key?: string
}

export const call: Configure = (command, cli) => {
  argsFlags(actionArgument(command))
    .option('--no-wait', 'do not wait for a call that takes longer, or for a person')
    .option('--key <text>', 'a call that is repeated with the same key is the same call')
  projectFlag(jsonFlag(command)).action(async (given: string, flags: Flags) => {
    const named = namedAction(given)
    const args = await readArgs(cli.io, flags)
    const { client, project_id } = await cli.project(flags.project)
    const outcome = await client.projects.connectorCalls.create(project_id, {
      ...named,
      args,
      ...(flags.wait ? {} : { wait_seconds: 0 }),
      ...(flags.key !== undefined && { idempotency_key: flags.key }),
    })
    printOutcome(cli, outcome, named, flags)
  })
}
