import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { type Group, groups } from './groups.ts'

/** Every group as a command of the program; only those that are wanted get their flags, actions and subcommands. */
export async function addGroups(
  program: Command,
  cli: Cli,
  isWanted: (group: Group) => boolean,
): Promise<void> {
  for (const group of groups) {
    const command = program
      .command(group.name)
      .description(group.summary)
      .aliases(group.aliases ?? [])
    if (isWanted(group)) (await group.load())(command, cli)
  }
}
