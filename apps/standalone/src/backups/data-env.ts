import { pathToFileURL } from 'node:url'
import type { DataDir } from '../data-dir.ts'
import { originOf, type StandaloneEnv } from '../env.ts'
import type { settingsOfKeys } from '../master-key.ts'

export interface DataKeys {
  readonly master: ReturnType<typeof settingsOfKeys>
  /** As hexadecimal or base64. */
  readonly gateway: string
}

/** The variables with which the operator's commands work on the data of this machine. */
export function dataEnv(
  env: StandaloneEnv,
  data: DataDir,
  { master, gateway }: DataKeys,
  { database_url, mirrors }: { readonly database_url: string; readonly mirrors: string },
): NodeJS.ProcessEnv {
  const { SVC_OTHER_MASTER_KEYS: others, ...key } = master
  return {
    ...env.inherited,
    ...key,
    SVC_OTHER_MASTER_KEYS: Object.entries(others)
      .map(([id, text]) => `${id}=${text}`)
      .join(','),
    SVC_GATEWAY_MASTER_KEY: env.SVC_GATEWAY_MASTER_KEY ?? gateway,
    DATABASE_URL: database_url,
    SVC_PUBLIC_URL: originOf(env),
    // Needed of every service; a command does not listen.
    SVC_INTERNAL_PORT: '0',
    SVC_REPOSITORIES_DIR: data.repositories,
    // Mirrors are one process's alone.
    SVC_MIRRORS_DIR: mirrors,
    SVC_OBJECT_STORE: env.SVC_OBJECT_STORE ?? pathToFileURL(data.objects).href,
  }
}
