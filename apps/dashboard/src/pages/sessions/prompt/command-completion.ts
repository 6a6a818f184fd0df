import type { SessionRuntime } from '@svc/sdk'

export type AgentCommand = SessionRuntime['commands'][number]

/** The part of a command before the caret: what follows a slash at the start, as far as no blank does; null elsewhere. */
export function typedCommand(text: string, caret: number): string | null {
  if (!text.startsWith('/') || caret < 1) return null
  const typed = text.slice(1, caret)
  return /\s/.test(typed) ? null : typed
}

/** Commands that have the typed part in their name; those that begin with it come first. */
export function matchingCommands(commands: readonly AgentCommand[], typed: string): readonly AgentCommand[] {
  const part = typed.toLowerCase()
  const at = ({ name }: AgentCommand) => name.toLowerCase().indexOf(part)
  const found = commands.filter((command) => at(command) >= 0)
  return found.toSorted((one, other) => Math.sign(at(one)) - Math.sign(at(other)))
}

/** The text with the command in place of its typed part, ready for what follows, and the caret behind it. */
export function withCommand(text: string, name: string): { readonly text: string; readonly caret: number } {
  const rest = text.replace(/^\S*\s?/, '')
  const begin = `/${name} `
  return { text: begin + rest, caret: begin.length }
}

/** The input of a command, as the agent describes it; null where it takes none. */
export function inputHint({ input }: AgentCommand): string | null {
  if (typeof input !== 'object' || input === null || !('hint' in input)) return null
  return typeof input.hint === 'string' && input.hint !== '' ? input.hint : null
}
