import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { type GitServer, startGitServer, testGit } from '../../src/testing/index.ts'

export interface HostStandIn extends GitServer {
  /** The requests to the API, oldest first. */
  readonly api: { readonly method: string; readonly path: string; readonly authorization: string | null }[]
  /** Answers the API's next request in its place. */
  refuse: ((response: ServerResponse) => void) | null
}

interface Call {
  readonly method: string
  readonly path: string
  readonly body: Readonly<Record<string, string>>
}

interface Reply {
  readonly status: number
  readonly body: object
}

/** The branch routes of one host, as its documentation gives them, answered from real repositories. */
export interface HostApi {
  readonly prefix: string
  readonly authorization: string
  readonly answer: (call: Call, git: (repository: string) => Git) => Promise<Reply>
}

export interface Git {
  tip(branch: string): Promise<string | null>
  /** False when there is no such commit. */
  cut(branch: string, from: string): Promise<boolean>
}

/** A git host on the loopback: smart HTTP by git itself, and the host's own API before it. */
export async function startHost(
  api: HostApi,
  root: string,
  credential: { readonly username: string; readonly token: string },
): Promise<HostStandIn> {
  const server = await startGitServer({ root, credential })
  const calls: HostStandIn['api'] = []
  const host: HostStandIn = Object.assign(server, { api: calls, refuse: null })
  // One call at a time, so that the caller that finds a branch missing is the one that cuts it.
  let turn: Promise<unknown> = Promise.resolve()
  const gitOf = (repository: string) => openGit(join(root, `${repository}.git`))
  server.answer = (request, response) => {
    const url = request.url ?? ''
    if (!url.startsWith(`${api.prefix}/`)) return false
    const authorization = request.headers.authorization ?? null
    calls.push({ method: request.method ?? '', path: url, authorization })
    const reply = async (): Promise<Reply> => {
      const body = await json(request)
      if (authorization !== api.authorization) return { status: 401, body: { message: 'Unauthorized' } }
      const path = url.slice(api.prefix.length)
      return api.answer({ method: request.method ?? '', path, body }, gitOf)
    }
    const { refuse } = host
    host.refuse = null
    if (refuse) refuse(response)
    else
      turn = turn.then(reply).then(({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      })
    return true
  }
  return host
}

function openGit(git_dir: string): Git {
  const tip = (name: string) =>
    testGit(['rev-parse', '--verify', '--quiet', name], { git_dir }).catch(() => null)
  return {
    tip: (branch) => tip(`refs/heads/${branch}`),
    cut: async (branch, from) => {
      if ((await tip(`${from}^{commit}`)) === null) return false
      await testGit(['update-ref', `refs/heads/${branch}`, from, '0'.repeat(40)], { git_dir })
      return true
    },
  }
}

async function json(request: IncomingMessage): Promise<Record<string, string>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString('utf8')
  const parsed: unknown = text === '' ? {} : JSON.parse(text)
  const entries = typeof parsed === 'object' && parsed !== null ? Object.entries(parsed) : []
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
}
