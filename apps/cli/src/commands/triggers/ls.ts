import { ago } from '../../output/ago.ts'
import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { scheduleText } from './schedule-text.ts'

export const ls: Configure = (command, cli) => {
  projectFlag(jsonFlag(command)).action(async (flags: JsonFlag & ProjectFlag) => {
    const { client, project_id } = await cli.project(flags.project)
    const list = await client.projects.triggers.list(project_id)
    if (flags.json) return cli.out.json(list)
    if (list.triggers.length === 0)
      cli.out.note('No triggers yet: svc triggers add, or triggers in svc.yaml.')
    else
      cli.out.table(
        [
          { header: 'SLUG', flexible: true },
          { header: 'TYPE' },
          { header: 'WHEN', flexible: true },
          { header: 'NEXT' },
          { header: 'LAST', optional: true },
        ],
        list.triggers.map((trigger) => [
          trigger.slug,
          trigger.type,
          oneLine(scheduleText(trigger)),
          trigger.enabled ? (trigger.next_fire_at ?? '') : 'disabled',
          trigger.last_attempt_at === null
            ? 'never'
            : `${trigger.last_status ?? ''} ${ago(trigger.last_attempt_at, Date.now())}`,
        ]),
      )
    if (list.triggers_paused) cli.out.note('The triggers of this project are paused.')
    for (const { path, error } of list.errors) cli.out.note(`svc.yaml: ${oneLine(`${path} ${error}`)}`)
  })
}
