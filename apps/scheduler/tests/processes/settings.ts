import { join } from 'node:path'
import { type PlatformEnv, platformEnv } from '@svc/platform'
import { z } from 'zod'

/** The settings that `openPlatform` needs, on one database and folder. */
export function platformSettings(connection_string: string, folder: string): PlatformEnv {
  return z.object(platformEnv).parse({
    DATABASE_URL: connection_string,
    SVC_PUBLIC_URL: 'https://svc.example.test',
    SVC_REPOSITORIES_DIR: join(folder, 'repositories'),
    SVC_MIRRORS_DIR: join(folder, 'mirrors'),
    SVC_MASTER_KEY: '0'.repeat(64),
    SVC_INTERNAL_PORT: 0,
    SVC_SESSION_CAP: 1_000_000,
  })
}
