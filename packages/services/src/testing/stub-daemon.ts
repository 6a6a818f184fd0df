import { createServer } from 'node:http'
import { z } from 'zod'

export interface ReceivedPrompt {
  readonly prompt_id: string
  readonly text: string
  readonly authorization: string | undefined
}

/** The daemon of every sandbox of a test: it says that the repository is there and takes prompts. */
export interface StubDaemon {
  readonly url: string
  readonly prompts: ReceivedPrompt[]
  repo: { state: string; error?: string }
  /** The repositories that it was sent, each whole. */
  readonly repositories: { readonly authorization: string | undefined; readonly content: Buffer }[]
  /** Its answer to them; null drops the connection. */
  repository_status: number | null
  prompt_status: number
  /** Files of prompts, in the order in which they and the prompts came. */
  readonly files: {
    readonly query: Readonly<Record<string, string>>
    readonly content: string
    readonly before: number
  }[]
  file_status: number
  /** Runs between a prompt, or the wish that it ends, and the answer to it. */
  beforeAnswer: () => Promise<void>
  /** The texts that it refuses for good, with its words. */
  readonly refused: Map<string, string>
  withdraw_status: number
  act_status: number
  env_status: number
  /** The checkpoint that a drain saves. */
  checkpoint: number | null
  /** The answer to a refresh or an abort. */
  drive: { status: number; body: unknown }
  /** Other requests that it got. */
  readonly asked: { readonly path: string; readonly body: unknown }[]
  /** Waits for this many requests for health from now on. */
  seen(requests: number): Promise<void>
  close(): Promise<void>
}

const Prompt = z.looseObject({ prompt_id: z.string(), text: z.string() })

export async function startStubDaemon(): Promise<StubDaemon> {
  const watchers = new Set<() => void>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const answer = (status: number, body: unknown) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      if (request.url?.startsWith('/svc/health') === true) {
        answer(200, { repo: daemon.repo })
        for (const watcher of watchers) watcher()
        return
      }
      if (request.url === '/svc/repository') {
        if (daemon.repository_status === null) return void request.destroy()
        const { authorization } = request.headers
        daemon.repositories.push({ authorization, content: Buffer.concat(chunks) })
        return answer(daemon.repository_status, {})
      }
      if (request.url?.startsWith('/svc/inbox?') === true) {
        const query = Object.fromEntries(new URL(request.url, 'http://sandbox').searchParams)
        if (daemon.file_status === 200)
          daemon.files.push({
            ...{ query, content: Buffer.concat(chunks).toString(), before: daemon.prompts.length },
          })
        return answer(daemon.file_status, { message: 'no room' })
      }
      if (request.url === '/svc/drain')
        return void daemon.beforeAnswer().then(() => answer(200, { ok: true, checkpoint: daemon.checkpoint }))
      if (request.url === '/svc/refresh' || request.url === '/svc/abort') {
        daemon.asked.push({ path: request.url, body: null })
        return answer(daemon.drive.status, daemon.drive.body)
      }
      const other = {
        '/svc/env': daemon.env_status,
        '/svc/withdraw': daemon.withdraw_status,
        '/svc/runtime/act': daemon.act_status,
      }
      for (const [path, status] of Object.entries(other)) {
        if (request.url !== path) continue
        daemon.asked.push({ path, body: JSON.parse(Buffer.concat(chunks).toString()) })
        return answer(status, {})
      }
      if (request.url !== '/svc/runtime/prompt') return answer(404, {})
      const { prompt_id, text } = Prompt.parse(JSON.parse(Buffer.concat(chunks).toString()))
      const message = daemon.refused.get(text)
      if (message !== undefined) return answer(400, { message })
      if (daemon.prompt_status === 202) {
        daemon.prompts.push({ prompt_id, text, authorization: request.headers.authorization })
      }
      void daemon.beforeAnswer().then(() => answer(daemon.prompt_status, { prompt_id }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const daemon: StubDaemon = {
    url: `http://127.0.0.1:${port}`,
    prompts: [],
    repo: { state: 'ready' },
    checkpoint: null,
    repositories: [],
    repository_status: 200,
    prompt_status: 202,
    files: [],
    file_status: 200,
    beforeAnswer: async () => undefined,
    refused: new Map(),
    withdraw_status: 200,
    act_status: 200,
    env_status: 200,
    drive: {
      status: 200,
      body: { ok: true, updated: false, note: null, restart: 'now', repo: { branch: null, commit: null } },
    },
    asked: [],
    seen: (requests) =>
      new Promise((resolve) => {
        let left = requests
        const watcher = () => {
          left -= 1
          if (left > 0) return
          watchers.delete(watcher)
          resolve()
        }
        watchers.add(watcher)
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return daemon
}
