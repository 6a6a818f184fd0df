import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { callArgument, callId } from './call-argument.ts'
import { printOutcome } from './print-outcome.ts'

interface Flags extends JsonFlag, ProjectFlag {
  readonly wait?: true
}

export const result: Configure = (command, cli) => {
  callArgument(command).option('--wait', 'until it has ended, however long people take')
  projectFlag(jsonFlag(command)).action(async (given: string, flags: Flags) => {
    const call_id = callId(given)
    const { client, project_id } = await cli.project(flags.project)
    const { connectorCalls } = client.projects
    const state = flags.wait
      ? await connectorCalls.wait(project_id, call_id)
      : await connectorCalls.get(project_id, call_id)
    printOutcome(cli, state, state.call, flags)
  })
}
