import type { Io } from '../io.ts'

/** True when a person is there to answer. */
export function canAsk(io: Io): boolean {
  return io.stdin.isTTY === true && io.stderr.isTTY === true
}

/** One line from the person; null when they leave (Ctrl-D, Ctrl-C) or no person is there. */
export async function ask(io: Io, question: string): Promise<string | null> {
  if (!canAsk(io)) return null
  // Loaded here: most commands ask nothing.
  const { createInterface } = await import('node:readline/promises')
  const reader = createInterface({ input: io.stdin, output: io.stderr })
  const left = new AbortController()
  reader.on('SIGINT', () => left.abort())
  reader.on('close', () => left.abort())
  try {
    return await reader.question(question, { signal: left.signal })
  } catch (error) {
    if (!left.signal.aborted) throw error
    io.stderr.write('\n')
    return null
  } finally {
    reader.close()
  }
}

/** One line that is not shown while it is typed; null when the person leaves or no person is there. */
export async function askSecret(io: Io, question: string): Promise<string | null> {
  if (!canAsk(io)) return null
  const [{ createInterface }, { Writable }] = await Promise.all([
    import('node:readline/promises'),
    import('node:stream'),
  ])
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: io.stdin, output: unseen, terminal: true, historySize: 0 })
  // Only now does the terminal show nothing of what is typed.
  io.stderr.write(question)
  const left = new AbortController()
  reader.on('SIGINT', () => left.abort())
  reader.on('close', () => left.abort())
  try {
    return await reader.question('', { signal: left.signal })
  } catch (error) {
    if (!left.signal.aborted) throw error
    return null
  } finally {
    reader.close()
    io.stderr.write('\n')
  }
}

/** One of the choices by its number or its text; null when the person chose none. */
export async function choose(io: Io, question: string, choices: readonly string[]): Promise<string | null> {
  if (!canAsk(io) || choices.length === 0) return null
  const list = choices.map((choice, index) => `  ${index + 1}  ${choice}`).join('\n')
  for (;;) {
    const answer = await ask(io, `${question}\n${list}\n> `)
    if (answer === null) return null
    const chosen = choices[Number(answer) - 1] ?? choices.find((choice) => choice === answer.trim())
    if (chosen !== undefined) return chosen
  }
}
