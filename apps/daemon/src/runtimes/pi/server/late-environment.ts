import { goesWord, rehearsalVariable, rehearsesWord, waitsWord } from '../../waiting-words.ts'

/** Set for a process that is started before its session is known: the environment then comes in one line. */
export const waitsVariable = 'SVC_PI_WAITS'

/**
 * Takes the place of this process's environment by that of its session. One for a rehearsal may come before: what
 * `open` opens with it is closed again.
 */
export async function awaitEnvironment(open: () => Promise<{ close(): Promise<void> }>): Promise<void> {
  process.stdout.write(`${waitsWord}\n`)
  let rehearsal: { close(): Promise<void> } | null = null
  for await (const line of linesOf(process.stdin)) {
    await rehearsal?.close()
    const given: Record<string, string> = JSON.parse(line)
    for (const name of Object.keys(process.env)) if (!(name in given)) delete process.env[name]
    Object.assign(process.env, given)
    if (!(rehearsalVariable in given)) {
      process.stdout.write(`${goesWord}\n`)
      return
    }
    try {
      rehearsal = await open()
      process.stdout.write(`${rehearsesWord}\n`)
    } catch (error) {
      // The session does without it.
      process.stderr.write(`pi cannot rehearse: ${String(error)}\n`)
    }
  }
  // No session is to come: whoever started it is gone.
  process.exit(0)
}

async function* linesOf(input: NodeJS.ReadStream): AsyncGenerator<string> {
  let text = ''
  for await (const chunk of input.setEncoding('utf8')) {
    const lines = `${text}${String(chunk)}`.split('\n')
    text = lines.pop() ?? ''
    yield* lines
  }
}
