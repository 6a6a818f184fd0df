import { once } from 'node:events'
import { createServer } from 'node:http'
import * as oauth from 'oauth4webapi'
import { OperationError } from '../failures.ts'
import { refused } from './refused.ts'
import { type LoginServer, scope } from './server.ts'

export interface Loopback {
  /** The page on which the person decides. */
  readonly url: string
  /** Resolves once they decided; rejects when they said no, and when `signal` aborts. */
  tokens(signal: AbortSignal): Promise<oauth.TokenEndpointResponse>
  close(): void
}

const page = `<!doctype html><meta charset="utf-8"><title>svc</title><p>You can close this page and go back to the terminal.</p>`

/** The login of a machine with a browser, as RFC 8252 describes it: the answer comes to a port of this computer. */
export async function openLoopback({ server, client, options }: LoginServer): Promise<Loopback> {
  const code_verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  let arrive: (url: URL) => void = () => undefined
  const arrived = new Promise<URL>((resolve) => (arrive = resolve))
  const listener = createServer((req, res) => {
    const url = new URL(req.url ?? '/', redirect_uri)
    // Other programs and pages of this computer may knock as well: only a request that knows the state is the answer.
    const ours = url.pathname === '/callback' && url.searchParams.get('state') === state
    res.writeHead(ours ? 200 : 404, { 'Content-Type': 'text/html; charset=utf-8', Connection: 'close' })
    res.end(ours ? page : undefined)
    if (ours) arrive(url)
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  const redirect_uri = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/callback`

  const url = new URL(server.authorization_endpoint ?? '')
  url.search = new URLSearchParams({
    client_id: client.client_id,
    response_type: 'code',
    redirect_uri,
    scope,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(code_verifier),
    code_challenge_method: 'S256',
  }).toString()

  return {
    url: url.href,
    async tokens(signal) {
      const landed = await Promise.race([arrived, aborted(signal)])
      try {
        const params = oauth.validateAuthResponse(server, client, landed, state)
        const none = oauth.None()
        const response = await oauth.authorizationCodeGrantRequest(
          ...([server, client, none, params, redirect_uri, code_verifier, options] as const),
        )
        return await oauth.processAuthorizationCodeResponse(server, client, response)
      } catch (error) {
        throw refused(error)
      }
    },
    close() {
      listener.close()
      listener.closeAllConnections()
    },
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) =>
    signal.addEventListener('abort', () =>
      reject(
        new OperationError('the login was not finished in the browser in time', 'run `svc login` again'),
      ),
    ),
  )
}
