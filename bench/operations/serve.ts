import { serveApi } from '../serve-api.ts'

const [folder = '', database_url = '', merges = ''] = process.argv.slice(2)
await serveApi({ folder, database_url, ...(merges === '' ? {} : { merges: Number(merges) }) })
