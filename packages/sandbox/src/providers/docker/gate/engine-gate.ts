import { chmod, lstat, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { socketOf } from '../../../engine/engine.ts'
import { deploymentLabel } from '../containers/containers.ts'
import type { ProviderLog } from '../../../shared/provider-log.ts'
import { listenUnseen } from '../../../network/listen-unseen.ts'
import { type GateRules, isOwnDeployment, judgeContainer } from './container-body.ts'
import { type GateCall, judgeCall } from './judge-call.ts'

export interface EngineGateOptions extends GateRules {
  /** `unix:///path` of the engine's own socket, which the gate alone holds. */
  readonly engine_url: string
  /** The socket that the gate makes for the provider. */
  readonly listen: string
  readonly log: ProviderLog
}

export interface EngineGate {
  /** Throws when the engine does not answer. */
  check(): Promise<void>
  close(): Promise<void>
}

const maxBodyBytes = 256 * 1024

/** Stands before a Docker engine and lets through only what the docker provider of one deployment asks. */
export async function openEngineGate(options: EngineGateOptions): Promise<EngineGate> {
  const server = createServer((req, res) => {
    void serve(options, req, res).catch((error: unknown) => {
      options.log('warn', 'a call of the engine failed', { error: String(error) })
      if (res.headersSent) res.destroy()
      else say(res, 502, 'The Docker engine does not answer the gate.')
    })
  })
  // A build sends for minutes.
  server.requestTimeout = 0
  await rm(options.listen, { force: true })
  await listenUnseen(server, options.listen)
  await chmod(options.listen, 0o600)
  return {
    check: async () => {
      const { status } = await ask(options, '/_ping')
      if (status !== 200) throw new Error(`The Docker engine answers ${status}.`)
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function serve(options: EngineGateOptions, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { method = '', url = '' } = req
  const call = judgeCall(options, method, url)
  const why = await refusalOf(options, call)
  if (why !== null) return refuse(options, req, res, why)
  switch (call.kind) {
    case 'refused':
      return refuse(options, req, res, call.why)
    case 'create':
      return create(options, call.name, req, res)
    case 'build':
      return forward(options, { method, path: call.path, body: req, type: 'application/x-tar' }, res)
    case 'passes':
    case 'container':
    case 'remove-image':
      req.resume()
      return forward(options, { method, path: call.path }, res)
    default:
      return call satisfies never
  }
}

/** The refusals that only the engine's own knowledge decides: a thing of another deployment is none of this one's. */
async function refusalOf(options: EngineGateOptions, call: GateCall): Promise<string | null> {
  if (call.kind === 'container') {
    const found = await ask(options, `/containers/${call.name}/json`)
    if (found.status === 404) return null
    const { Config, HostConfig } = Container.parse(JSON.parse(found.body))
    if (!isOwnDeployment(options, Config.Labels?.[deploymentLabel])) return 'it is of another deployment'
    return call.starts ? linkAmong(options, HostConfig.Binds ?? []) : null
  }
  if (call.kind === 'remove-image') {
    const found = await ask(options, `/images/${call.image}/json`)
    if (found.status === 404) return null
    const { Config } = Image.parse(JSON.parse(found.body))
    return isOwnDeployment(options, Config?.Labels?.[deploymentLabel]) ? null : 'it is of another deployment'
  }
  return null
}

const Labels = z.record(z.string(), z.string()).nullish()
const Container = z.object({
  Config: z.object({ Labels }),
  HostConfig: z.object({ Binds: z.array(z.string()).nullish() }),
})
const Image = z.object({ Config: z.object({ Labels }).nullish() })

async function create(
  options: EngineGateOptions,
  name: string | null,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const text = await textOf(req)
  const verdict = text === null ? { refused: 'the body is too large' } : judgeContainer(options, name, text)
  if (verdict.refused !== null) return refuse(options, req, res, verdict.refused)
  const link = await linkAmong(options, verdict.binds)
  if (link !== null) return refuse(options, req, res, link)
  const path = `/containers/create?name=${verdict.name}`
  await forward(
    options,
    { method: 'POST', path, body: Readable.from([verdict.body]), type: 'application/json' },
    res,
  )
}

/** One made before the store was bound has a bind less. */
async function linkAmong({ root, harnesses }: GateRules, binds: readonly string[]): Promise<string | null> {
  const [own = '', store = harnesses] = binds.map((bind) => bind.split(':')[0] ?? '')
  return (await linkIn(root, own)) ?? linkIn(harnesses, store)
}

/** The engine follows links in the source of a bind: each part below the sandboxes' folder has to be a folder itself. */
async function linkIn(root: string, bind: string): Promise<string | null> {
  if (bind !== root && !bind.startsWith(`${root}/`)) return "the bind is not in the sandboxes' folder"
  for (let path = bind; path !== dirname(root); path = dirname(path)) {
    const found = await lstat(path).catch(() => null)
    if (found === null || !found.isDirectory()) return 'the bind is no plain folder'
  }
  return null
}

interface Outgoing {
  readonly method: string
  readonly path: string
  readonly body?: Readable
  readonly type?: string
}

/** Sends nothing of the caller's but what is named here: no header that would turn the call into another one. */
function forward(options: EngineGateOptions, outgoing: Outgoing, res: ServerResponse): Promise<void> {
  const { method, path, body, type } = outgoing
  return new Promise((resolve, reject) => {
    const sent = request({
      ...{ socketPath: socketOf(options.engine_url), method, path, agent: false },
      headers: { host: 'docker', ...(type === undefined ? {} : { 'content-type': type }) },
    })
    sent.once('error', reject)
    res.once('close', () => sent.destroy())
    sent.once('response', (answer) => {
      const answered = answer.headers['content-type']
      res.writeHead(answer.statusCode ?? 502, answered === undefined ? {} : { 'content-type': answered })
      pipeline(answer, res).then(resolve, reject)
    })
    if (body === undefined) sent.end()
    else void pipeline(body, sent).catch(reject)
  })
}

async function ask(options: EngineGateOptions, path: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath: socketOf(options.engine_url), path, agent: false, timeout: 30_000 })
    sent.once('error', reject).once('timeout', () => sent.destroy(new Error('The engine does not answer.')))
    sent.once('response', (answer) => {
      let body = ''
      answer.setEncoding('utf8').on('data', (part: string) => (body += part))
      answer.once('error', reject).once('end', () => resolve({ status: answer.statusCode ?? 502, body }))
    })
    sent.end()
  })
}

async function textOf(req: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of req as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > maxBodyBytes) return null
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

function refuse(options: EngineGateOptions, req: IncomingMessage, res: ServerResponse, why: string): void {
  const path = (req.url ?? '').split('?')[0]
  options.log('warn', 'a call of the engine was refused', { method: req.method, path, why })
  res.setHeader('connection', 'close')
  say(res, 403, `The engine gate refuses ${req.method} ${path}: ${why}.`)
}

/** As the engine itself says it, so that its client shows the words. */
function say(res: ServerResponse, status: number, message: string): void {
  res.writeHead(status, { 'content-type': 'application/json' })
  res.end(JSON.stringify({ message }))
}
