import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { StoredLogin } from '../auth/login-tokens.ts'
import { OperationError } from '../failures.ts'
import { isObject, stringOf } from '../json-values.ts'
import type { Env } from '../io.ts'
import { writePrivateFile } from './private-file.ts'

export interface StoredHost {
  readonly api_url: string | null
  readonly token: string | null
  /** The login of a token that a login by browser gave; that token is exchanged for a new one when it ends. */
  readonly login?: StoredLogin | undefined
}

export interface Config {
  readonly active_host: string | null
  readonly hosts: Readonly<Record<string, StoredHost>>
}

export const emptyConfig: Config = { active_host: null, hosts: {} }

export function configFile(env: Env, home: string): string {
  return env['SVC_CONFIG_FILE'] || join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'svc', 'config.json')
}

/** A missing file is an empty config. */
export async function readConfig(file: string): Promise<Config> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (isMissing(error)) return emptyConfig
    throw new OperationError(`cannot read ${file}: ${messageOf(error)}`, undefined, { cause: error })
  }
  try {
    return parseConfig(JSON.parse(text))
  } catch (error) {
    throw new OperationError(
      `${file} is not a valid config file`,
      'correct it, or remove it and log in again',
      {
        cause: error,
      },
    )
  }
}

export function parseConfig(value: unknown): Config {
  if (!isObject(value)) throw new TypeError('a config is an object')
  const hosts = isObject(value['hosts']) ? value['hosts'] : {}
  return {
    active_host: stringOf(value, 'active_host'),
    hosts: Object.fromEntries(
      Object.entries(hosts).flatMap(([name, host]) =>
        isObject(host)
          ? [
              [
                name,
                {
                  api_url: stringOf(host, 'api_url'),
                  token: stringOf(host, 'token'),
                  login: parseLogin(host['login']),
                },
              ],
            ]
          : [],
      ),
    ),
  }
}

function parseLogin(value: unknown): StoredLogin | undefined {
  if (!isObject(value)) return undefined
  const refresh_token = stringOf(value, 'refresh_token')
  const expires_at = stringOf(value, 'expires_at')
  return refresh_token === null || expires_at === null ? undefined : { refresh_token, expires_at }
}

export async function writeConfig(file: string, config: Config): Promise<void> {
  try {
    await writePrivateFile(file, `${JSON.stringify(config, null, 2)}\n`)
  } catch (error) {
    throw new OperationError(`cannot write ${file}: ${messageOf(error)}`, undefined, { cause: error })
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
