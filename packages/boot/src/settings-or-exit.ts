import { SettingsError } from './settings.ts'

/** Wrong settings are for the person who starts the program to mend: a list of them, no stack, exit code 1. */
export function settingsOrExit<E>(name: string, read: (source: NodeJS.ProcessEnv) => E): E {
  try {
    return read(process.env)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    process.stderr.write(`${name}: ${error.message}\n`)
    process.exit(1)
  }
}
