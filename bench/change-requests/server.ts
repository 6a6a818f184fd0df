import { join } from 'node:path'
import { migrateSchema } from '@svc/platform'
import { startEmbeddedPostgres } from '@svc/db/embedded'
import { benchLog, serveApi } from '../serve-api.ts'

/** The platform as `npm start` runs it, as far as change requests need it: database, API and merge-worker. */
const folder = process.argv[2] ?? ''
const postgres = await startEmbeddedPostgres({ data_dir: join(folder, 'postgres'), log: benchLog })
const database_url = postgres.connection_string
await migrateSchema({ DATABASE_URL: database_url })
await serveApi({ folder, database_url, merges: 4, close: postgres.close })
