import { serveApi } from '../serve-api.ts'

/** With who commits to manifests. No scheduler: what is owed a session stays owed. */
const [folder = '', database_url = ''] = process.argv.slice(2)
await serveApi({ folder, database_url, merges: 1 })
