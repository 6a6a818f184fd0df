import { SettingsError } from './settings.ts'

/** The settings of a service. One that is wrong ends the process with the reason, and so does any word: a mistyped command starts nothing. */
export function settingsOrExit<E>(name: string, read: (source: NodeJS.ProcessEnv) => E): E {
  const [word] = process.argv.slice(2)
  if (word !== undefined)
    exit(
      name,
      `${word} is no command here. A service takes no words; its settings are variables of the environment`,
      2,
    )
  try {
    return read(process.env)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    exit(name, error.message, 1)
  }
}

function exit(name: string, message: string, code: number): never {
  process.stderr.write(`${name}: ${message}\n`)
  process.exit(code)
}
