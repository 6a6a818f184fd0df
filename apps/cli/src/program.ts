import { Command } from 'commander'
import { createCli } from './cli.ts'
import { groups } from './commands/groups.ts'
import type { Target } from './config/target.ts'
import type { Io } from './io.ts'
import { version } from './version.ts'

/** Runs one command line. Throws commander's error on misuse, and whatever the command failed with. */
export async function runProgram(
  argv: readonly string[],
  io: Io,
  onTarget: (target: Target) => void,
): Promise<void> {
  const words = spelledOut(argv)
  const program = new Command('svc')
    .description('Sessions of AI agents on your git repositories.')
    .option('--host <name>', 'use this host for one call')
    .option('--no-color', 'print without colour')
    .version(version, '-V, --version', 'the release of this command')
    .helpCommand('help [command]', 'help for a command')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      outputError: (text, write) => write(`${text.trimEnd()}\nnext: ${whereToLook(program, words)}\n`),
    })
    .exitOverride()
  const cli = createCli({ io, flags: () => program.opts<{ host?: string; color: boolean }>(), onTarget })
  for (const group of groups) {
    const { name, aliases = [] } = group
    const command = program.command(name).description(group.summary).aliases(aliases)
    if ([name, ...aliases].some((word) => words.includes(word))) (await group.load())(command, cli)
  }
  await program.parseAsync(words, { from: 'user' })
}

/** `svc`, `svc help` and `svc help cr ls` are read as `svc [cr ls] --help`. */
function spelledOut(argv: readonly string[]): readonly string[] {
  if (argv.length === 0) return ['--help']
  return argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv
}

/** The help of the command that the words reach. */
function whereToLook(program: Command, words: readonly string[]): string {
  let command = program
  const path = ['svc help']
  for (const word of words.filter((text) => !text.startsWith('-'))) {
    const next = command.commands.find((each) => each.name() === word || each.aliases().includes(word))
    if (next === undefined) break
    path.push(next.name())
    command = next
  }
  return `\`${path.join(' ')}\` ${command.commands.length > 0 ? 'lists the commands' : 'tells how it is used'}`
}
