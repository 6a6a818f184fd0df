import { oneLine, plain } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { monitorFields } from './monitor-fields.ts'
import { printFires } from './print-fires.ts'
import { scheduleText } from './schedule-text.ts'

const shown = 10

export const info: Configure = (command, cli) => {
  projectFlag(jsonFlag(command.argument('<slug>'))).action(
    async (slug: string, flags: JsonFlag & ProjectFlag) => {
      const { client, project_id } = await cli.project(flags.project)
      const { triggers } = client.projects
      const [trigger, next_fires, { items: fires }] = await Promise.all([
        triggers.get(project_id, slug),
        triggers.preview(project_id, slug),
        triggers.fires(project_id, slug, { limit: shown }),
      ])
      if (flags.json) return cli.out.json({ trigger, next_fires, fires })
      cli.out.fields([
        ['slug', trigger.slug],
        ['name', oneLine(trigger.name)],
        ['type', trigger.type],
        ['when', oneLine(scheduleText(trigger))],
        ['enabled', trigger.enabled ? 'yes' : 'no'],
        ['agent', trigger.agent],
        ['model', trigger.model],
        ['session', trigger.session_mode],
        ['session key', trigger.session_key && oneLine(trigger.session_key)],
        ['overlap', trigger.overlap],
        ['webhook', trigger.webhook_url],
        ...monitorFields(trigger),
        ['last error', trigger.last_error && oneLine(trigger.last_error)],
      ])
      cli.out.line()
      cli.out.line(plain(trigger.prompt_template))
      if (next_fires.length > 0) {
        cli.out.line()
        cli.out.line('Next')
        for (const at of next_fires) cli.out.line(`  ${at}`)
      }
      if (fires.length === 0) return
      cli.out.line()
      printFires(cli.out, fires)
    },
  )
}
