import { homedir } from 'node:os'
import { apiBase } from './api-base.ts'
import { configFile, readConfig, writeConfig } from './config-file.ts'
import { localHostName, withHost } from './hosts.ts'

export interface SaveLoginInput {
  /** API base, with or without `/v1`. */
  readonly api_url: string
  readonly token: string
  /** Defaults to the file that the command itself reads without `SVC_CONFIG_FILE`. */
  readonly config_file?: string | undefined
}

export interface SavedLogin {
  /** The name of the host, such as `local-dev`. */
  readonly host: string
  /** The file that was written, mode 0600. */
  readonly file: string
}

/** Keeps the token of a platform of this machine under a host of its own, and makes that host the active one. */
export async function saveLogin({ api_url, token, config_file }: SaveLoginInput): Promise<SavedLogin> {
  const file = config_file ?? configFile({}, homedir())
  const before = await readConfig(file)
  const login = { api_url: apiBase(api_url), token }
  const host = localHostName(before, login)
  const config = withHost(before, host, { ...login, login: undefined })
  await writeConfig(file, { ...config, active_host: host })
  return { host, file }
}
