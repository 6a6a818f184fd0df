import type { Cli } from '../../cli.ts'

/** Notes when a secret that was written reaches sessions. */
export function noteDelivery(cli: Cli): void {
  cli.out.note(
    'Sessions that run get it within seconds, once their agent is idle; others at their next start.',
  )
}
