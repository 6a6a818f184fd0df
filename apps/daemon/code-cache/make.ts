import { join } from 'node:path'
import { runtimeBuilds } from '../src/runtimes/builds.ts'
import { makeDaemonCache, makeRuntimeCache } from './caches.ts'

// The last step of the build: code caches of what lies in `dist`.
const dist = join(import.meta.dirname, '../dist')
await makeDaemonCache(dist)
for (const [name, build] of Object.entries(runtimeBuilds))
  if (build.standby_env !== undefined) await makeRuntimeCache(build.standby_env, join(dist, name))
