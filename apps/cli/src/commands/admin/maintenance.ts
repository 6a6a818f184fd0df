import { Argument } from 'commander'
import { maintenanceModes, type MaintenanceMode } from '@svc/facts'
import { duration, inSeconds } from '../duration.ts'
import { type JsonFlag, jsonFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { adminClient } from './admin-client.ts'

interface Flags extends JsonFlag {
  readonly message?: string
  /** In seconds. */
  readonly for?: number
}

export const maintenance: Configure = (command, cli) => {
  jsonFlag(command)
    .addArgument(
      new Argument('[mode]', 'close the platform so, or open it again; without one it is shown').choices([
        ...maintenanceModes,
      ]),
    )
    .option('--message <text>', 'for those who are refused')
    .option('--for <duration>', 'such as 30m or 2h; then it ends by itself', duration)
    .action(async (mode: MaintenanceMode | undefined, flags: Flags) => {
      const admin = await adminClient(cli)
      const seconds = flags.for
      const current =
        mode === undefined
          ? await admin.maintenance()
          : await admin.setMaintenance({
              mode,
              ...(flags.message !== undefined && { message: flags.message }),
              ...(seconds !== undefined && { until: inSeconds(seconds, Date.now()) }),
            })
      if (flags.json) return cli.out.json(current)
      const until = current.until === null ? '' : ` until ${current.until}`
      const message = current.message === null ? '' : `: ${current.message}`
      cli.out.line(`Maintenance is ${current.mode}${until}${message}`)
    })
}
