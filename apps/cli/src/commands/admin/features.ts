import { type JsonFlag, jsonFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { adminClient } from './admin-client.ts'
import { showPage } from './list-command.ts'
import { flagOf, switches } from './switches.ts'

const words = {
  open: { available: true },
  closed: { available: false },
  on: { default: true },
  off: { default: false },
} as const

export const features: Configure = (group, cli) => {
  jsonFlag(group.command('ls').description('what projects may have, and have by default')).action(
    async (flags: JsonFlag) => {
      const admin = await adminClient(cli)
      await showPage(cli, flags, admin.features(), {
        columns: [
          { header: 'FEATURE' },
          { header: 'AVAILABLE' },
          { header: 'DEFAULT' },
          { header: 'WHAT IT IS FOR', flexible: true },
        ],
        cells: ({ feature, available, default: by_default, summary }) => [
          feature,
          available ? 'yes' : 'no',
          flagOf(by_default),
          summary,
        ],
        none: 'There are none.',
      })
    },
  )

  group
    .command('set')
    .description('open or closed for every project, on or off by default')
    .argument('<feature=open|closed|on|off...>')
    .action(async (asked: string[]) => {
      for (const { feature, available, default: by_default } of await (
        await adminClient(cli)
      ).setFeatures(switches(asked, words)))
        cli.out.line(`${feature}: ${available ? `${flagOf(by_default)} by default` : 'closed'}`)
    })
}
