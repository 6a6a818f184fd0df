import { ReportedFailure } from '../../failures.ts'
import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

/** Exit code 1 when a check fails. */
export const test: Configure = (command, cli) => {
  projectFlag(jsonFlag(command.argument('<slug>'))).action(
    async (slug: string, flags: JsonFlag & ProjectFlag) => {
      const { client, project_id } = await cli.project(flags.project)
      const tested = await client.projects.channels.test(project_id, slug)
      if (flags.json) cli.out.json(tested)
      else
        cli.out.table(
          [{ header: 'CHECK' }, { header: 'RESULT' }, { header: 'WHY', flexible: true }],
          tested.checks.map(({ name, ok, message }) => [
            oneLine(name),
            ok ? 'ok' : 'FAILED',
            oneLine(message),
          ]),
        )
      if (!tested.ok) throw new ReportedFailure()
    },
  )
}
