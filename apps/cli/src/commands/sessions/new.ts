import { randomUUID } from 'node:crypto'
import { waitingFor } from '../../output/spinner.ts'
import { changedBindings } from '../connectors/bindings.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

interface Flags extends JsonFlag, ProjectFlag {
  readonly prompt?: string
  readonly agent?: string
  readonly harness?: string
  readonly base?: string
  readonly name?: string
  readonly model?: string
  readonly bind?: readonly string[]
}

export const create: Configure = (command, cli) => {
  command
    .option('--prompt <text>', 'first message to the agent')
    .option('--agent <name>', "which of the manifest's agents")
    .option('--harness <name>', 'the program to run it on; else as its file or svc.yaml says')
    .option('--base <ref>', 'branch to start from; else the default branch')
    .option('--name <text>', 'a name to find it by')
    .option('--model <provider/model>', 'the model to run')
    .option('--bind <connector=connection...>', 'the connections to call with')
  projectFlag(jsonFlag(command)).action(async (flags: Flags) => {
    const { client, project_id } = await cli.project(flags.project)
    const creating = client.projects.sessions.create(
      project_id,
      {
        ...(flags.prompt === undefined ? {} : { initial_prompt: flags.prompt }),
        ...(flags.agent === undefined ? {} : { agent_name: flags.agent }),
        ...(flags.harness === undefined ? {} : { harness: flags.harness }),
        ...(flags.base === undefined ? {} : { base_ref: flags.base }),
        ...(flags.name === undefined ? {} : { name: flags.name }),
        ...(flags.model === undefined ? {} : { model: flags.model }),
        ...(flags.bind === undefined ? {} : { connector_bindings: changedBindings({}, flags.bind) }),
      },
      { idempotency_key: randomUUID() },
    )
    const session = await waitingFor(cli, 'Starting a session', creating)
    if (flags.json) return cli.out.json(session)
    cli.out.line(session.session_id)
    cli.out.note(
      `Started on branch ${session.branch_name}: svc sessions chat ${session.session_id.slice(0, 8)}`,
    )
  })
}
