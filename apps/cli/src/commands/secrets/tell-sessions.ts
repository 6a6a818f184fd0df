import type { Cli } from '../../cli.ts'

/** Tells which sessions hear of a secret that was written. */
export function tellSessions(cli: Cli): void {
  cli.out.note(
    'Sessions that run get it within seconds, once their agent is idle; others at their next start.',
  )
}
