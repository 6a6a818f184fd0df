import { ago } from '../../output/ago.ts'
import { duration } from '../duration.ts'
import { type JsonFlag, jsonFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { adminClient } from './admin-client.ts'
import { showPage } from './list-command.ts'

interface DrainFlags {
  /** In seconds. */
  readonly deadline?: number
}

export const machines: Configure = (group, cli) => {
  jsonFlag(group.command('ls').description('the machines, with their sandboxes')).action(
    async (flags: JsonFlag) => {
      const admin = await adminClient(cli)
      const now = Date.now()
      await showPage(cli, flags, admin.machines(), {
        columns: [
          { header: 'MACHINE', flexible: true },
          { header: 'PROVIDER' },
          { header: 'STATE' },
          { header: 'ACTIVE' },
          { header: 'STOPPED' },
          { header: 'SEEN', optional: true },
        ],
        cells: ({ machine, provider, state, sandboxes, seen_at }) => [
          machine,
          provider,
          state,
          String(sandboxes.active),
          String(sandboxes.stopped),
          ago(seen_at, now),
        ],
        none: 'No machine makes sandboxes.',
      })
    },
  )

  group
    .command('drain')
    .description(
      'save and stop idle sandboxes at once, busy ones after their turn; new sessions go elsewhere',
    )
    .argument('<machine...>')
    .option(
      '--deadline <duration>',
      'such as 15m: from then on busy ones are ended too, with their work saved',
      duration,
    )
    .action(async (names: string[], { deadline }: DrainFlags) => {
      const admin = await adminClient(cli)
      for (const name of names) {
        const { state } = await admin.drainMachine(name, {
          ...(deadline !== undefined && { deadline_seconds: deadline }),
        })
        cli.out.line(`${name} is ${state}`)
      }
    })

  group
    .command('resume')
    .alias('open')
    .description('take sessions again')
    .argument('<machine...>')
    .action(async (names: string[]) => {
      const admin = await adminClient(cli)
      for (const name of names) {
        await admin.resumeMachine(name)
        cli.out.line(`${name} is open`)
      }
    })
}
