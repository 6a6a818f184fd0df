import tab from '@bomb.sh/tab/commander'
import type { Command } from 'commander'

/** `svc completion <shell>` prints a script, which asks `svc complete -- <words>` for the next words. */
export function addCompletion(program: Command): void {
  tab(program, { completionCommandName: 'completion' })
}
