import { Command } from 'commander'
import { createCli } from './cli.ts'
import { addGroups } from './commands/add-groups.ts'
import type { Target } from './config/target.ts'
import { type GlobalFlags, globalFlags } from './global-flags.ts'
import type { Io } from './io.ts'
import { isMeant, projectNameOf } from './lone-word.ts'
import { version } from './version.ts'

/** Runs one command line. Throws commander's error on misuse, and the error that the command failed with. */
export async function runProgram(
  argv: readonly string[],
  io: Io,
  onTarget: (target: Target) => void,
): Promise<void> {
  const topic = await topicOf(argv)
  if (topic !== null) return void io.stdout.write(topic(io.env))
  const words = spelledOut(argv)
  if (words.join(' ') === 'completion bash') {
    return void io.stdout.write((await import('./completion/bash.ts')).bashCompletion)
  }
  const completing = words[0] === 'completion' || words[0] === 'complete'
  let complain = () => {}
  const program = globalFlags(new Command('svc'))
    .description('Sessions of AI agents on your git repositories.')
    .helpCommand('help [command]', 'help for a command, or for a topic: agent, environment, exit-codes')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      outputError(text, write) {
        complain = () => write(`${text.trimEnd()}\nnext: ${whereToLook(program, words)}\n`)
      },
    })
    .exitOverride()
  const cli = createCli({ io, flags: () => program.opts<GlobalFlags>(), onTarget })
  await addGroups(
    program,
    cli,
    ({ name, aliases = [] }) => completing || [name, ...aliases].some((word) => words.includes(word)),
  )
  // Options of the program are taken wherever they stand, so a command with a `--version` of its own goes without this one.
  if (!hasOwnVersion(program, words)) program.version(version, '-V, --version', 'the release of this command')
  if (completing) (await import('./completion/completion.ts')).addCompletion(program)
  else program.command('completion').description('completion script for bash, zsh, fish or powershell')
  const { command, path, unknown } = reached(program, words)
  // Help on a word that is no command says so, where `--help` would show the page above it.
  const isLost = argv[0] === 'help' && unknown !== undefined && command.commands.length > 0
  try {
    await program.parseAsync(isLost ? [...path, unknown] : words, { from: 'user' })
  } catch (error) {
    const name = isLost ? null : projectNameOf(error, words)
    if (name !== null && (await isMeant(io, name, words))) {
      const { newProject } = await import('./commands/init/new-project.ts')
      return newProject(cli, name)
    }
    complain()
    throw error
  }
}

/** `svc help <topic>`: the text of the topic. */
async function topicOf([help, name, ...more]: readonly string[]) {
  if (help !== 'help' || name === undefined || more.length > 0) return null
  const { topics } = await import('./help/topics.ts')
  return Object.hasOwn(topics, name) ? (topics[name] ?? null) : null
}

/** `svc`, `svc help` and `svc help cr ls` are read as `svc [cr ls] --help`. */
function spelledOut(argv: readonly string[]): readonly string[] {
  if (argv.length === 0) return ['--help']
  return argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv
}

/** The command that the words reach, the names on the way to it, and the word there that is none of its commands. */
function reached(program: Command, words: readonly string[]) {
  let command = program
  const path: string[] = []
  for (const word of words.filter((text) => !text.startsWith('-'))) {
    const next = command.commands.find((each) => each.name() === word || each.aliases().includes(word))
    if (next === undefined) return { command, path, unknown: word }
    path.push(next.name())
    command = next
  }
  return { command, path }
}

function hasOwnVersion(command: Command, words: readonly string[]): boolean {
  return command.commands
    .filter((each) => words.includes(each.name()))
    .some((each) => each.options.some(({ long }) => long === '--version') || hasOwnVersion(each, words))
}

/** The help of the command that the words reach. */
function whereToLook(program: Command, words: readonly string[]): string {
  const { command, path } = reached(program, words)
  const what = command.commands.length > 0 ? 'lists the commands' : 'tells how it is used'
  return `\`${['svc help', ...path].join(' ')}\` ${what}`
}
