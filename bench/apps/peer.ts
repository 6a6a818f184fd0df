import { createServer } from 'node:http'
import sirv from 'sirv'

/** Files of a folder as a plain Node program serves them: read once, kept in memory by name and by tag. */
const [folder = ''] = process.argv.slice(2)
const serve = sirv(folder, { etag: true })
const server = createServer((request, response) => serve(request, response))
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' ? address?.port : 0 })
})
process.once('message', () => process.exit(0))
process.once('disconnect', () => process.exit(0))
