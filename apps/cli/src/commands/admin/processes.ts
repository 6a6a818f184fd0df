import { ago } from '../../output/ago.ts'
import { type JsonFlag, jsonFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { adminClient } from './admin-client.ts'
import { showPage } from './list-command.ts'

export const processes: Configure = (group, cli) => {
  jsonFlag(group.command('ls').description('the processes that live')).action(async (flags: JsonFlag) => {
    const admin = await adminClient(cli)
    const now = Date.now()
    await showPage(cli, flags, admin.processes(), {
      columns: [
        { header: 'SERVICE' },
        { header: 'STATE' },
        { header: 'VERSION', optional: true },
        { header: 'MACHINE', flexible: true },
        { header: 'PID', optional: true },
        { header: 'STARTED', optional: true },
        { header: 'ID' },
      ],
      cells: (one) => [
        one.service,
        one.state,
        one.version,
        one.machine,
        String(one.pid),
        ago(one.started_at, now),
        one.process_id,
      ],
      none: 'No process lives.',
    })
  })

  group
    .command('drain')
    .description('finish what they have and take nothing new')
    .argument('<process-id...>')
    .action(async (ids: string[]) => {
      const admin = await adminClient(cli)
      for (const id of ids) {
        await admin.drainProcess(id)
        cli.out.line(`Draining ${id}`)
      }
    })

  group
    .command('resume')
    .description('take work again')
    .argument('<process-id...>')
    .action(async (ids: string[]) => {
      const admin = await adminClient(cli)
      for (const id of ids) {
        await admin.resumeProcess(id)
        cli.out.line(`Resumed ${id}`)
      }
    })
}
