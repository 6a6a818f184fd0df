import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface StoredObject {
  readonly metadata: Readonly<Record<string, unknown>> & { readonly name: string; readonly uid: string }
  readonly [field: string]: unknown
}

/** Answers to the next requests that fit; `hang` answers nothing, `cut` ends the connection. */
export interface Fault {
  readonly method: string
  readonly path: RegExp
  readonly times: number
  readonly answer: { readonly status: number; readonly message: string } | 'hang' | 'cut'
}

export interface ApiStandIn {
  readonly kubeconfig: string
  readonly requests: readonly string[]
  /** The fate of a pod that is made: its status, in the order of its changes. */
  pods: readonly object[]
  fail(fault: Fault): void
  names(kind: string): readonly string[]
  close(): Promise<void>
}

const running = {
  phase: 'Running',
  podIP: '10.0.0.9',
  conditions: [{ type: 'Ready', status: 'True' }],
  containerStatuses: [{ name: 'sandbox', state: { running: {} } }],
}

/** As much of an API server as its outages need: it stores, watches, and fails when told to. Everything else is proved on a real one. */
export async function startApiStandIn(): Promise<ApiStandIn> {
  const things = new Map<string, StoredObject>()
  const requests: string[] = []
  const faults: (Fault & { left: number })[] = []
  const watches = new Set<ServerResponse>()
  let version = 0

  const put = (
    path: string,
    body: Record<string, unknown>,
    type: string,
    old?: StoredObject,
  ): StoredObject => {
    version += 1
    const given = isObject(body['metadata']) ? body['metadata'] : {}
    const metadata = { ...given, name: String(given['name']), uid: old?.metadata.uid ?? `uid-${version}` }
    const thing = { ...body, metadata: { ...metadata, resourceVersion: String(version) } }
    things.set(path, thing)
    emit(type, thing)
    return thing
  }
  const emit = (type: string, object: StoredObject) => {
    for (const watch of watches) watch.write(`${JSON.stringify({ type, object })}\n`)
  }
  const makePod = (path: string, body: Record<string, unknown>): StoredObject => {
    const made = put(path, { ...body, status: { phase: 'Pending' } }, 'ADDED')
    // Each change comes in a turn of its own, as a node reports it.
    void api.pods.reduce<Promise<void>>(async (before, status) => {
      await before
      await new Promise((resolve) => setImmediate(resolve))
      const now = things.get(path)
      if (now !== undefined) put(path, { ...now, status }, 'MODIFIED', now)
    }, Promise.resolve())
    return made
  }

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://stand-in')
    const method = request.method ?? 'GET'
    requests.push(`${method} ${url.pathname}${url.searchParams.has('watch') ? ' watch' : ''}`)
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += String(chunk)
    const fault = faults.find(
      (one) => one.left > 0 && one.method === method && one.path.test(request.url ?? ''),
    )
    if (fault !== undefined) {
      fault.left -= 1
      if (fault.answer === 'hang') return
      if (fault.answer === 'cut') return void request.socket.destroy()
      return send(response, fault.answer.status, { kind: 'Status', message: fault.answer.message })
    }
    if (url.searchParams.has('watch')) {
      response.writeHead(200).flushHeaders()
      watches.add(response)
      response.on('close', () => watches.delete(response))
      return
    }
    const body: unknown = text === '' ? {} : JSON.parse(text)
    const path = url.pathname
    const there = things.get(path)
    if (method === 'POST' && isObject(body)) {
      const name = isObject(body['metadata']) ? String(body['metadata']['name']) : ''
      const target = `${path}/${name}`
      if (things.has(target)) return send(response, 409, { message: `"${name}" already exists` })
      return send(response, 201, path.endsWith('/pods') ? makePod(target, body) : put(target, body, 'ADDED'))
    }
    if (/\/(?:persistentvolumeclaims|pods)$/.test(path)) {
      return send(response, 200, {
        items: [...things].flatMap(([at, thing]) => (at.startsWith(path) ? [thing] : [])),
      })
    }
    if (there === undefined) return send(response, 404, { message: `${path} not found` })
    if (method === 'DELETE') {
      things.delete(path)
      emit('DELETED', there)
    }
    if (method === 'PUT' && isObject(body)) put(path, body, 'MODIFIED', there)
    if (method === 'PATCH' && isObject(body)) put(path, merge(there, body), 'MODIFIED', there)
    return send(response, 200, things.get(path) ?? there)
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => send(response, 500, { message: String(error) }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = isObject(address) ? String(address['port']) : ''
  const folder = await mkdtemp(join(tmpdir(), 'svc-kubeconfig-'))
  const kubeconfig = join(folder, 'config')
  await writeFile(kubeconfig, kubeconfigOf(`http://127.0.0.1:${port}`))

  const api: ApiStandIn = {
    kubeconfig,
    requests,
    pods: [running],
    fail: (fault) => void faults.push({ ...fault, left: fault.times }),
    names: (kind) =>
      [...things].flatMap(([path, { metadata }]) => (path.includes(`/${kind}/`) ? [metadata.name] : [])),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
  return api
}

/** A kubeconfig in JSON, which is YAML as well. */
export function kubeconfigOf(server: string): string {
  return JSON.stringify({
    clusters: [{ name: 'c', cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'u', user: { token: 'stand-in' } }],
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u', namespace: 'boxes' } }],
    'current-context': 'c',
  })
}

function send(response: ServerResponse, status: number, body: object): void {
  // An API server says how long to wait; this one is soon ready.
  const pause = status === 429 ? { 'retry-after': '0' } : {}
  response.writeHead(status, { 'content-type': 'application/json', ...pause }).end(JSON.stringify(body))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** A JSON merge patch: null removes. */
function merge(old: object, change: Record<string, unknown>): Record<string, unknown> {
  const result: Record<string, unknown> = { ...old }
  for (const [key, value] of Object.entries(change)) {
    const before = result[key]
    if (value === null) delete result[key]
    else result[key] = isObject(value) && isObject(before) ? merge(before, value) : value
  }
  return result
}
