import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { feed } from '../serve/feed.ts'
import type { Credential } from '../repository.ts'
import { testRunner } from './test-git.ts'

export interface GitServer {
  /** Address of a repository in the served folder. */
  url(name: string): string
  readonly port: number
  /** The requests, oldest first. */
  readonly requests: readonly {
    readonly method: string
    readonly path: string
    readonly authorization: string | null
  }[]
  /** Answers in git's place until set to null; return false to let git answer. */
  answer: ((request: IncomingMessage, response: ServerResponse) => boolean) | null
  close(): Promise<void>
}

export interface GitServerOptions {
  /** The folder of bare repositories. */
  readonly root: string
  readonly credential?: Credential
}

/** A stand-in for a git host: smart HTTP by git's own CGI program, on a free port of the loopback. */
export async function startGitServer({ root, credential }: GitServerOptions): Promise<GitServer> {
  const requests: { method: string; path: string; authorization: string | null }[] = []
  const expected =
    credential && `Basic ${Buffer.from(`${credential.username}:${credential.token}`).toString('base64')}`
  const server = createServer((request, response) => {
    const authorization = request.headers.authorization ?? null
    requests.push({ method: request.method ?? '', path: request.url ?? '', authorization })
    if (host.answer?.(request, response)) return
    if (expected && authorization !== expected) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
      return
    }
    runBackend(root, request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const host: GitServer = {
    url: (name) => `http://127.0.0.1:${port}/${name}`,
    port,
    requests,
    answer: null,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return host
}

async function runBackend(root: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://host')
  const { child } = testRunner.spawn(['http-backend'], {
    config: [
      ['http.receivepack', 'true'],
      ['receive.autogc', 'false'],
      ['uploadpack.allowFilter', 'true'],
    ],
    env: {
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method ?? 'GET',
      SERVER_PROTOCOL: 'HTTP/1.1',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      HTTP_GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      REMOTE_USER: 'test',
      REMOTE_ADDR: '127.0.0.1',
    },
  })
  child.stderr.resume()
  void feed(request, child.stdin, { gzip: false, max_bytes: Number.MAX_SAFE_INTEGER }).catch(() =>
    child.kill(),
  )
  let head = Buffer.alloc(0)
  for await (const chunk of child.stdout) {
    if (response.headersSent) {
      response.write(chunk)
      continue
    }
    head = Buffer.concat([head, chunk])
    const end = head.indexOf('\r\n\r\n')
    if (end === -1) continue
    writeHead(response, head.subarray(0, end).toString('latin1'))
    response.write(head.subarray(end + 4))
  }
  response.end()
}

function writeHead(response: ServerResponse, text: string): void {
  let status = 200
  for (const line of text.split('\r\n')) {
    const [name = '', ...value] = line.split(': ')
    if (name.toLowerCase() === 'status') status = Number.parseInt(value.join(': '), 10)
    else response.setHeader(name, value.join(': '))
  }
  response.writeHead(status)
  response.flushHeaders()
}
