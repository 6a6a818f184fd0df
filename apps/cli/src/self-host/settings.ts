import { mkdir, readFile } from 'node:fs/promises'
import { replaceFile } from '@svc/files'
import { dirname } from 'node:path'
import { parseEnv } from 'node:util'
import { OperationError, UsageError } from '../failures.ts'

export type Settings = Readonly<Record<string, string>>

/** The settings of the file, by name; a missing file holds none. */
export async function readSettings(file: string): Promise<Settings> {
  try {
    const found = parseEnv(await readFile(file, 'utf8'))
    const pairs = Object.entries(found).map(([name, value]) => [name, value ?? ''] as const)
    return Object.fromEntries(pairs.sort(([a], [b]) => (a < b ? -1 : 1)))
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return {}
    throw new OperationError(`cannot read ${file}`, undefined, { cause })
  }
}

/** Replaces the file in one step, readable by its owner only: keys of model providers are among them. */
export async function writeSettings(file: string, settings: Settings): Promise<void> {
  const lines = Object.entries(settings).map(([name, value]) => line(name, value))
  try {
    await mkdir(dirname(file), { recursive: true })
    await replaceFile(file, lines.join(''))
  } catch (cause) {
    throw new OperationError(`cannot write ${file}`, undefined, { cause })
  }
}

/** The line as the platform will read it back; throws when it would not. */
function line(name: string, value: string): string {
  for (const quote of ["'", '"', '`']) {
    const text = `${name}=${quote}${value}${quote}\n`
    if (parseEnv(text)[name] === value) return text
  }
  throw new UsageError(
    `the value of ${name} mixes quotes in a way that no settings file can hold; use one kind of quotes`,
  )
}

export function assertSetting(name: string): void {
  if (!/^[A-Z][A-Z0-9_]{0,127}$/.test(name)) {
    throw new UsageError(
      `${name} is not the name of a setting`,
      'such as SVC_PORT; docs/self-host.md lists them',
    )
  }
  if (name !== 'SVC_DATA_DIR') return
  throw new UsageError(
    'SVC_DATA_DIR says where the settings are, so it cannot be one of them',
    'set it in the environment of every call',
  )
}

/** The part of a setting that may be shown: nothing of keys, and no password of an address. */
export function maskSecret(name: string, value: string): string {
  if (/KEY|TOKEN|SECRET|PASSWORD/.test(name)) return '***'
  return value.replace(/(\/\/[^/@:]*):[^/@]*@/, '$1:***@')
}
