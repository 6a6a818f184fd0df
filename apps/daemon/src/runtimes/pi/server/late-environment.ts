import { goesWord, waitsWord } from '../../waiting-words.ts'

/** Set for a process that is started before its session is known: the environment then comes in one line. */
export const waitsVariable = 'SVC_PI_WAITS'

/** Takes the place of this process's environment by that of its session. */
export async function awaitEnvironment(): Promise<void> {
  process.stdout.write(`${waitsWord}\n`)
  const given = await firstLine()
  for (const name of Object.keys(process.env)) if (!(name in given)) delete process.env[name]
  Object.assign(process.env, given)
  process.stdout.write(`${goesWord}\n`)
}

/** Ends the process when there is no line to come: whoever started it is gone. */
async function firstLine(): Promise<Record<string, string>> {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) text += String(chunk)
  if (!text.endsWith('\n')) process.exit(0)
  return JSON.parse(text)
}
