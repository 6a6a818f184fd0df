import type { Cli } from '../cli.ts'
import { plain } from '../output/plain.ts'
import { createSpinner } from '../output/spinner.ts'

/** The agent's words on stdout, everything around them on stderr, each on lines of its own. */
export interface TurnPrinter {
  text(message_id: string, text: string): void
  tool(line: string): void
  note(text: string): void
  endLine(): void
  /** Until something else is printed. */
  wait(words: string): void
}

export function createTurnPrinter({ io, out }: Cli): TurnPrinter {
  const spinner = createSpinner(io, out)
  let message: string | null = null
  let midLine = false
  const endLine = () => {
    spinner.stop()
    if (midLine) io.stdout.write('\n')
    midLine = false
  }
  const aside = (text: string) => {
    endLine()
    out.note(text)
  }
  return {
    endLine,
    wait(words) {
      if (!midLine) spinner.start(words)
    },
    text(message_id, text) {
      spinner.stop()
      if (message !== message_id) endLine()
      message = message_id
      const shown = out.is_terminal ? plain(text) : text
      io.stdout.write(shown)
      midLine = !shown.endsWith('\n')
    },
    tool: (line) => aside(out.note_colors.dim(`* ${line}`)),
    note: (text) => aside(out.note_colors.dim(text)),
  }
}
