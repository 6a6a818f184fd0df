import { once } from 'node:events'
import { createServer } from 'node:http'

/** An OpenID provider's published metadata, and no more. */
export async function stubIssuer() {
  const server = createServer((_, res) => {
    const at = (path: string) => `${issuer}/${path}`
    const document = {
      issuer,
      authorization_endpoint: at('authorize'),
      token_endpoint: at('token'),
      jwks_uri: at('keys'),
    }
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${Object(server.address()).port}`
  const close = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { issuer, close }
}
