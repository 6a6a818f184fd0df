import { serveApi } from '../serve-api.ts'

const [folder = '', database_url = ''] = process.argv.slice(2)
await serveApi({ folder, database_url })
