import { type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { type BuiltCli, buildCli } from './built-cli.ts'
import { projectId, session, sessionId } from './records.ts'

let cli: BuiltCli
let status = 'running'
const seen: string[] = []
const token = 'svc_pat_a'

/** The platform as far as a preview needs it. */
const server = createServer((asked, response) => {
  seen.push(`${asked.url} ${asked.headers.authorization ?? ''}`)
  if (asked.url === `/v1/projects/${projectId}/sessions/${sessionId}`) {
    response.setHeader('content-type', 'application/json')
    return void response.end(JSON.stringify(session({ status, external_id: 'box-1' })))
  }
  if (asked.url?.endsWith('/events')) {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    return void response.write('data: first\n\n')
  }
  asked.pipe(response)
})
const sockets = new WebSocketServer({ server })
sockets.on('connection', (socket, request) => {
  seen.push(`${request.url} ${request.headers.authorization ?? ''}`)
  socket.on('message', (data: Buffer) => socket.send(`echo ${data.toString()}`))
})

beforeAll(async () => {
  cli = await buildCli()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await cli.close()
})

const api = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
const env = () => ({ SVC_CLI_TOKEN: token, SVC_API_URL: api(), SVC_PROJECT_ID: projectId })
const preview = (...args: string[]) => cli.run(['sessions', 'preview', sessionId, ...args], { env: env() })

test('prints the address, by default of port 3000, and never the token', async () => {
  expect(await preview()).toMatchObject({ code: 0, stdout: `${api()}/p/box-1/3000/\n` })
  expect(await preview('5173')).toMatchObject({ code: 0, stdout: `${api()}/p/box-1/5173/\n` })
})

test.each(['22', '4096', '8000', '0', '65536', 'http'])('port %s is refused', async (port) => {
  expect(await preview(port)).toMatchObject({ code: 2, stdout: '' })
})

test('a session that does not run has nothing to show, and what to do is said', async () => {
  status = 'stopped'
  const { code, stderr } = await preview()
  status = 'running'
  expect(code).toBe(1)
  expect(stderr).toContain('is stopped')
})

test('--open opens the browser on a door of this machine, through which everything goes', async () => {
  const browser = join(cli.folder, 'browser')
  const opened = join(cli.folder, 'opened.txt')
  await writeFile(browser, `#!/bin/sh\nprintf %s "$1" > '${opened}'\n`)
  await chmod(browser, 0o755)
  const { child, result } = cli.start(['sessions', 'preview', sessionId, '--open'], {
    env: { ...env(), BROWSER: browser },
  })
  try {
    const door = await firstLine(child)
    expect(door).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/)

    const answer = await fetch(`${door}a/b?x=1`, { method: 'POST', body: 'hello' })
    expect(await answer.text()).toBe('hello')
    expect(seen).toContain(`/v1/p/box-1/3000/a/b?x=1 Bearer ${token}`)

    const events = await fetch(`${door}events`)
    const reader = events.body?.getReader()
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('data: first\n\n')
    await reader?.cancel()

    const socket = new WebSocket(`${door.replace('http', 'ws')}socket`)
    await once(socket, 'open')
    socket.send('ping')
    expect(String((await once(socket, 'message'))[0])).toBe('echo ping')
    socket.terminate()
    expect(seen).toContain(`/v1/p/box-1/3000/socket Bearer ${token}`)

    expect((await foreign(door)).status).toBe(403)
    await expect.poll(() => readFile(opened, 'utf8').catch(() => ''), { timeout: 20_000 }).toBe(door)
  } finally {
    child.kill('SIGINT')
  }
  expect((await result).code).toBe(0)
})

/** As a page of another name would ask, had it made that name point here. */
async function foreign(door: string): Promise<{ status: number | undefined }> {
  const outgoing = request(door, { headers: { host: 'evil.example' } }).end()
  const [incoming] = await once(outgoing, 'response')
  incoming.resume()
  return { status: incoming.statusCode }
}

/** Only listens: somebody else reads the stream to its end. */
function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (text.includes('\n')) resolve(text.split('\n')[0] ?? '')
    })
  })
}
