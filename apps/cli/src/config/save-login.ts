import { homedir } from 'node:os'
import { apiBase } from './api-base.ts'
import { configFile, readConfig, writeConfig } from './config-file.ts'
import { withHost } from './hosts.ts'

export interface SaveLoginInput {
  /** Name of the host, such as `local-dev`. */
  readonly host: string
  /** API base, with or without `/v1`. */
  readonly api_url: string
  readonly token: string
  /** Defaults to the file that the command itself reads without `SVC_CONFIG_FILE`. */
  readonly config_file?: string | undefined
}

/** Keeps a token for a host and makes that host the active one. Answers with the file it wrote, mode 0600. */
export async function saveLogin({ host, api_url, token, config_file }: SaveLoginInput): Promise<string> {
  const file = config_file ?? configFile({}, homedir())
  const config = withHost(await readConfig(file), host, {
    api_url: apiBase(api_url),
    token,
    login: undefined,
  })
  await writeConfig(file, { ...config, active_host: host })
  return file
}
