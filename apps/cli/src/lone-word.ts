import { CommanderError } from 'commander'
import { canAsk, ask } from './output/ask.ts'
import type { Io } from './io.ts'

/** A word that is no command and looks like none, given alone: the name of a project that is to be. */
export function projectNameOf(error: unknown, words: readonly string[]): string | null {
  if (!(error instanceof CommanderError) || error.code !== 'commander.unknownCommand') return null
  if (error.message.includes('Did you mean')) return null
  const [name, ...more] = words.filter((word) => word !== '--yes')
  if (name === undefined || more.length > 0) return null
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(name) ? name : null
}

/** Starting a project is meant by `--yes`, or by a person who says so. */
export async function isMeant(io: Io, name: string, words: readonly string[]): Promise<boolean> {
  if (words.includes('--yes')) return true
  if (!canAsk(io)) return false
  const answer = await ask(io, `Start a new project in the folder ${name}? [y/N] `)
  return /^y(es)?$/i.test(answer?.trim() ?? '')
}
