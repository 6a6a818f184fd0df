import type { Io } from '../io.ts'
import type { Output } from './output.ts'

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const frameMs = 100
/** A wait that is over sooner needs no word. */
const delayMs = 400
const clear = '\r\u001b[2K'

/**
 * A line that moves while the person waits. Packages for this end the process at Ctrl-C, which means something here.
 */
export interface Spinner {
  /** Begins, or goes on, with these words. */
  start(words: string): void
  /** Takes the line away: to be called before anything else is printed. */
  stop(): void
}

/** Moves on a terminal with colour only: a pipe, `NO_COLOR` and a dumb terminal get nothing. */
export function createSpinner(io: Pick<Io, 'stderr'>, out: Pick<Output, 'note_colors'>): Spinner {
  const { isColorSupported } = out.note_colors
  let timer: NodeJS.Timeout | undefined
  let drawn = false
  const stop = () => {
    clearTimeout(timer)
    timer = undefined
    if (drawn) io.stderr.write(clear)
    drawn = false
  }
  return {
    stop,
    start(words) {
      stop()
      if (!isColorSupported) return
      const draw = (turn: number) => {
        const room = (io.stderr.columns || 80) - 3
        io.stderr.write(`${clear}${frames[turn % frames.length]} ${[...words].slice(0, room).join('')}`)
        drawn = true
        timer = setTimeout(draw, frameMs, turn + 1)
      }
      timer = setTimeout(draw, delayMs, 0)
    },
  }
}

/** Waits for the work with the words beside a spinner. */
export async function waitingFor<T>(
  { io, out }: { readonly io: Pick<Io, 'stderr'>; readonly out: Pick<Output, 'note_colors'> },
  words: string,
  work: Promise<T>,
): Promise<T> {
  const spinner = createSpinner(io, out)
  spinner.start(words)
  try {
    return await work
  } finally {
    spinner.stop()
  }
}
