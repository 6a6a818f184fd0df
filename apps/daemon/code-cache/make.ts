import { join } from 'node:path'
import { makeDaemonCache, makePiCache } from './rehearsals.ts'

// The last step of the build: code caches of what lies in `dist`.
const dist = join(import.meta.dirname, '../dist')
await makeDaemonCache(dist)
await makePiCache(join(dist, 'pi'))
