/** The app of the bench: `/work` costs it 1.5 ms of its own and answers 16 KiB, `/` does nothing for its 1 KiB. */
export const program = `const { createServer } = require('node:http')
const [small, large] = [Buffer.alloc(1024, 'a'), Buffer.alloc(16 * 1024, 'b')]
createServer((request, response) => {
  const works = request.url === '/work'
  const until = performance.now() + 1.5
  while (works && performance.now() < until);
  const body = works ? large : small
  response.writeHead(200, { 'content-type': 'text/plain', 'content-length': body.length }).end(body)
}).listen(Number(process.env.PORT), '127.0.0.1', function () {
  process.send?.({ port: this.address().port })
})
process.once('disconnect', () => process.exit(0))
process.once('message', () => process.exit(0))
`
