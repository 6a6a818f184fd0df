import { OperationError, UsageError } from '../../failures.ts'
import { plain } from '../../output/plain.ts'
import { placesOf } from '../../self-host/places.ts'
import { follow, lastLines, sizeOf } from '../../self-host/read-log.ts'
import { positive } from '../flags.ts'
import type { Configure } from '../groups.ts'

const services = ['api', 'gateway', 'merge-worker', 'sandbox-worker', 'scheduler', 'database']

interface Flags {
  readonly lines: number
  readonly follow?: true
}

export const logs: Configure = (command, cli) => {
  command
    .argument('[service]', `one of ${services.join(', ')}; they write into one log here`)
    .option('--lines <number>', 'how many of the last lines', positive, 100)
    .option('-f, --follow', 'and what is added, until Ctrl-C')
    .action(async (service: string | undefined, flags: Flags) => {
      if (service !== undefined && !services.includes(service)) {
        throw new UsageError(`there is no service ${service}`, `one of ${services.join(', ')}`)
      }
      const { log } = await placesOf(cli.io.env)
      const size = await sizeOf(log)
      const lines = await lastLines(log, flags.lines)
      if (lines === null) throw new OperationError('nothing was logged yet', 'svc self-host start')
      if (service !== undefined) cli.out.note('All services run in one process here and write one log.')
      for (const line of lines) cli.out.line(plain(line))
      if (!flags.follow) return
      const left = new AbortController()
      const undo = cli.io.onInterrupt(() => left.abort())
      for await (const text of follow(log, size, left.signal)) cli.io.stdout.write(plain(text))
      undo()
    })
}
