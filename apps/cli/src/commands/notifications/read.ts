import { UsageError } from '../../failures.ts'
import { type JsonFlag, jsonFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

interface Flags extends JsonFlag {
  readonly all?: boolean
}

export const read: Configure = (command, cli) => {
  command
    .argument('[notifications...]', 'their ids, as svc notifications ls --json tells')
    .option('--all', 'all of them')
  jsonFlag(command).action(async (ids: readonly string[], { all, json }: Flags) => {
    if ((all === true) === ids.length > 0)
      throw new UsageError(
        all ? 'give ids or --all, not both' : 'nothing says which ones',
        'svc notifications read --all, or svc notifications read <id>…',
      )
    const { client } = await cli.connect()
    const count = await client.notifications.read(all ? { all: true } : { ids: [...ids] })
    if (json) return cli.out.json({ read: count })
    cli.out.line(count === 1 ? '1 notification is read.' : `${count} notifications are read.`)
  })
}
