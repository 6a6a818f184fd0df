import { claimedWord, prewarmVariable, prewarmingWord, standbyWord } from '../../standby/standby-words.ts'

/** Set for a process that is started before its session is known: the environment then comes in one line. */
export const standbyVariable = 'SVC_PI_STANDBY'

/**
 * Takes the place of this process's environment by that of its session. One for a prewarming may come before: what
 * `open` opens with it is closed again.
 */
export async function awaitEnvironment(open: () => Promise<{ close(): Promise<void> }>): Promise<void> {
  process.stdout.write(`${standbyWord}\n`)
  let prewarming: { close(): Promise<void> } | null = null
  for await (const line of linesOf(process.stdin)) {
    await prewarming?.close()
    const given: Record<string, string> = JSON.parse(line)
    for (const name of Object.keys(process.env)) if (!(name in given)) delete process.env[name]
    Object.assign(process.env, given)
    if (!(prewarmVariable in given)) {
      process.stdout.write(`${claimedWord}\n`)
      return
    }
    try {
      prewarming = await open()
      process.stdout.write(`${prewarmingWord}\n`)
    } catch (error) {
      // The session does without it.
      process.stderr.write(`pi cannot prewarm: ${String(error)}\n`)
    }
  }
  // No session is to come: the daemon that started this process is gone.
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
