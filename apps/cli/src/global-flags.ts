import type { Command } from 'commander'

/** The flags that every command understands. */
export interface GlobalFlags {
  readonly host?: string
  readonly color: boolean
}

export function globalFlags(program: Command): Command {
  return program
    .option('--host <name>', 'use this host for one call')
    .option('--no-color', 'print without colour')
}
