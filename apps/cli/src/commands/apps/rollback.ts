import { setTimeout as pause } from 'node:timers/promises'
import { type AppRollout, type Client } from '@svc/sdk'
import { OperationError } from '../../failures.ts'
import { type JsonFlag, jsonFlag, positive, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

interface Flags extends JsonFlag, ProjectFlag {
  readonly to?: number
  readonly wait: boolean
}

export const rollback: Configure = (command, cli) => {
  projectFlag(jsonFlag(command.argument('<app>')))
    .option('--to <number>', 'the release to show; what was shown before by default', positive)
    .option('--no-wait', 'do not wait for its end')
    .action(async (name: string, flags: Flags) => {
      const { client, project_id } = await cli.project(flags.project)
      const { apps } = client.projects
      const current = (await apps.get(project_id, name)).current_release?.number
      const asked = await apps.rollback(project_id, name, {
        ...(flags.to !== undefined && { number: flags.to }),
        ...(current !== undefined && { expected_current: current }),
      })
      const rollout = flags.wait ? await ended(client, project_id, asked) : asked
      if (flags.json) cli.out.json(rollout)
      if (rollout.status === 'failed' || rollout.status === 'cancelled')
        throw new OperationError(rollout.error ?? 'the move failed, and nothing changed')
      if (!flags.json)
        cli.out.note(
          rollout.finished_at === null
            ? `${name} goes back to release ${rollout.to_number}.`
            : `${name} shows release ${rollout.to_number}.`,
        )
    })
}

const lookAgainMs = 300

async function ended(client: Client, project_id: string, asked: AppRollout): Promise<AppRollout> {
  for (;;) {
    for await (const one of client.projects.apps.rollouts(project_id, asked.app)) {
      if (one.rollout_id !== asked.rollout_id) continue
      if (one.finished_at !== null) return one
      break
    }
    await pause(lookAgainMs)
  }
}
