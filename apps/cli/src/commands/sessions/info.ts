import { isApiError } from '@svc/sdk'
import { oneLine } from '../../output/plain.ts'
import { usageText } from '../../output/usage-text.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { findSessionId } from './find-session.ts'
import { harnessText, lacks } from './runtime-text.ts'

export const info: Configure = (command, cli) => {
  projectFlag(jsonFlag(command.argument('<id>', 'the id, or its start'))).action(
    async (given: string, flags: JsonFlag & ProjectFlag) => {
      const { client, project_id } = await cli.project(flags.project)
      const session = await client.projects.sessions.get(
        project_id,
        await findSessionId(client, project_id, given),
      )
      if (flags.json) return cli.out.json(session)
      const runtime = await client.projects.sessions.runtime
        .get(project_id, session.session_id)
        // A platform of an earlier release has no such route.
        .catch((error: unknown) => {
          if (isApiError(error) && error.status === 404) return null
          throw error
        })
      cli.out.fields([
        ['id', session.session_id],
        ['name', oneLine(session.name ?? '')],
        [
          'status',
          session.stop_reason === null ? session.status : `${session.status} (${session.stop_reason})`,
        ],
        [
          'failure',
          session.failure === null
            ? null
            : `${session.failure.category}: ${oneLine(session.failure.message)}`,
        ],
        [
          'sandbox',
          `${session.runtime_status}${session.sandbox_provider === null ? '' : ` on ${session.sandbox_provider}`}`,
        ],
        ['branch', oneLine(session.branch_name)],
        ['base', oneLine(session.base_ref)],
        ['agent', oneLine(session.agent_name)],
        ['runs on', harnessText(session)],
        ['it cannot', runtime && lacks(runtime)],
        ['model', session.model],
        ['cost', usageText(session.usage)],
        ['origin', session.origin],
        ['labels', session.labels.map(oneLine).join(', ')],
        ['created', session.created_at],
        ['started', session.started_at],
        ['stopped', session.stopped_at],
      ])
    },
  )
}
