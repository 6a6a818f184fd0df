import { type JsonFlag, jsonFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { adminClient } from './admin-client.ts'
import { flagOf, switches } from './switches.ts'

/** `svc admin accounts features <account-id> previews=off apps=default` */
export const accountFeatures: Configure = (command, cli) => {
  jsonFlag(command)
    .argument('<account-id>')
    .argument('[feature=on|off|default...]', 'without one they are shown')
    .action(async (id: string, words: string[], { json }: JsonFlag) => {
      const admin = await adminClient(cli)
      const changes = switches(words, { on: true, off: false, default: null })
      const { features } =
        words.length === 0 ? await admin.account(id) : await admin.setAccountFeatures(id, changes)
      if (json) return cli.out.json(features)
      for (const [feature, enabled] of Object.entries(features)) cli.out.line(`${feature} ${flagOf(enabled)}`)
    })
}
