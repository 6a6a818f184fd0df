import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { dirname, join } from 'node:path'
import { listen } from './listen.ts'

export interface GitOrigin {
  readonly url: string
  /** The bare repository. */
  readonly folder: string
  readonly requests: { readonly path: string; readonly authorized: boolean }[]
  /** Runs git in the bare repository. */
  git(...args: string[]): string
  /** A stream of `git fast-import`, for histories too long to be made one by one. */
  import(stream: string): void
  /** Commits files onto a branch, which is made from `from` when it is new. */
  commit(branch: string, files: Readonly<Record<string, string>>, from?: string): void
  close(): Promise<void>
}

const identity = ['-c', 'user.name=t', '-c', 'user.email=t@t.invalid']

/** A real repository behind `git http-backend`, which demands one user name and password. */
export async function startGitOrigin(host: string, folder: string, password: string): Promise<GitOrigin> {
  const bare = join(folder, 'origin', 'p1.git')
  const work = join(folder, 'origin-work')
  mkdirSync(bare, { recursive: true })
  const run = (cwd: string, ...args: string[]): string =>
    execFileSync('git', [...identity, ...args], {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim()
  run(bare, 'init', '-q', '--bare', '-b', 'main', '.')
  run(bare, 'config', 'http.receivepack', 'true')
  execFileSync('git', ['clone', '-q', bare, work], { stdio: 'ignore' })

  const expected = `Basic ${Buffer.from(`x-access-token:${password}`).toString('base64')}`
  const requests: { path: string; authorized: boolean }[] = []
  const server = createServer((request, response) => {
    const authorized = request.headers.authorization === expected
    requests.push({ path: request.url ?? '', authorized })
    if (authorized) return backend(dirname(bare), request, response)
    response.writeHead(401, { 'www-authenticate': 'Basic realm="origin"' }).end()
  })
  const { port, close } = await listen(server, host)
  return {
    url: `http://${host}:${port}/git/p1.git`,
    folder: bare,
    requests,
    git: (...args) => run(bare, ...args),
    import: (stream) =>
      void execFileSync('git', ['fast-import', '--quiet'], { cwd: bare, input: stream, stdio: 'pipe' }),
    commit: (branch, files, from) => {
      run(work, 'fetch', '-q', 'origin')
      const known = run(work, 'branch', '-r', '--list', `origin/${branch}`) !== ''
      const start = known ? `origin/${branch}` : from === undefined ? undefined : `origin/${from}`
      run(work, 'checkout', '-q', ...(start === undefined ? ['--orphan', branch] : ['-B', branch, start]))
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(work, name)), { recursive: true })
        writeFileSync(join(work, name), text)
      }
      run(work, 'add', '-A')
      run(work, 'commit', '-q', '--allow-empty', '-m', `on ${branch}`)
      run(work, 'push', '-q', 'origin', `HEAD:refs/heads/${branch}`)
    },
    close,
  }
}

/** `git http-backend` over the repositories of a folder. */
export function backend(
  root: string,
  request: IncomingMessage,
  response: ServerResponse,
  prefix = '/git',
): void {
  const url = new URL(request.url ?? '/', 'http://origin')
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'],
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: url.pathname.slice(prefix.length),
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: [request.headers['git-protocol'] ?? ''].flat().join(),
      REMOTE_USER: 'x-access-token',
    },
  })
  request.pipe(child.stdin)
  child.stdin.on('error', () => undefined)
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.on('close', () => {
    const whole = Buffer.concat(chunks)
    const end = whole.indexOf('\r\n\r\n')
    for (const line of whole.subarray(0, end).toString('latin1').split('\r\n')) {
      const [name = '', value = ''] = line.split(/: (.*)/s)
      if (name === 'Status') response.statusCode = Number(value.slice(0, 3))
      else response.setHeader(name, value)
    }
    response.end(whole.subarray(end + 4))
  })
}
