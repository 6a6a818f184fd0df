import type { ServerResponse } from 'node:http'
import { beforeEach, describe, expect, it } from 'vitest'
import { openWorld } from '../support/open-world.ts'
import { projectId, session, sessionId } from '../support/records.ts'
import { refusal } from '../support/stub-api.ts'

const promptId = '77777777-7777-4777-8777-777777777777'
const sessions = `/v1/projects/${projectId}/sessions`
const one = `${sessions}/${sessionId}`
const act = 'POST /v1/p/box-1/8000/svc/runtime/act'

type Entry = { type: string; seq?: number } & Record<string, unknown>

const begin: Entry = { type: 'turn', prompt_id: promptId, state: 'begin' }
const completed: Entry = { type: 'turn', prompt_id: promptId, state: 'end', status: 'completed' }
const said = (text: string): Entry => ({
  type: 'message',
  message_id: 'm',
  role: 'assistant',
  text,
  error: null,
})
const delta = (text: string): Entry => ({ type: 'message.delta', message_id: 'm', delta: text })

const { cli, api, env } = await openWorld({
  [`GET ${sessions}`]: () => ({
    status: 200,
    body: [session({ status: 'failed', session_id: crypto.randomUUID() }), session()],
  }),
  [`GET ${one}`]: () => ({ status: 200, body: session() }),
  [`POST ${sessions}`]: () => ({ status: 201, body: session({ status: 'provisioning' }) }),
  [`POST ${one}/prompts`]: () => ({ status: 202, body: { prompt_id: promptId, state: 'queued' } }),
  [act]: () => ({ status: 200, body: {} }),
})
let streams: ServerResponse[]
let seq: number
let log: Map<number, string>

/** Stored events are kept for a client that reconnects; deltas are not. */
function emit(...entries: Entry[]) {
  for (const entry of entries) {
    const stored = entry.type !== 'message.delta'
    if (stored) seq += 1
    const data = JSON.stringify({ seq, at: '2026-01-01T00:00:00Z', ...entry })
    const frame = `${stored ? `id: ${seq}\n` : ''}event: ${entry.type}\ndata: ${data}\n\n`
    if (stored) log.set(seq, frame)
    for (const stream of streams) stream.write(frame)
  }
}

/** Runs the script once the command listens; it has sent its message by then. */
function onListen(script: () => void) {
  api.routes[`GET ${one}/events`] = ({ headers }, response) => {
    if (headers.accept !== 'text/event-stream') return { status: 200, body: { events: [], last_seq: 41 } }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const last = Number(headers['last-event-id'])
    for (const [at, frame] of log) if (at > last) response.write(frame)
    streams.push(response)
    script()
    return undefined
  }
}

const chat = (args: string[], input = '') => cli.run(['sessions', 'chat', ...args], { env, input })
const callsOf = (operation: string) =>
  api.calls.filter(({ method, path }) => `${method} ${path}` === operation)

beforeEach(() => {
  streams = []
  seq = 41
  log = new Map()
})

describe('chat --prompt', () => {
  it('prints the words on stdout and the rest on stderr, and exits 0 when the turn is complete', async () => {
    onListen(() =>
      emit(
        begin,
        delta('Let me '),
        delta('look.'),
        { type: 'tool', call_id: 'c', tool: 'bash', status: 'running', title: 'ls -la' },
        { type: 'tool', call_id: 'c', tool: 'bash', status: 'completed', title: 'ls -la' },
        said('Let me look.'),
        { ...said('Done.'), message_id: 'n' },
        completed,
      ),
    )
    const { code, stdout, stderr } = await chat([sessionId, '--prompt', 'look'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Let me look.\nDone.\n' })
    expect(stderr.match(/\* bash: ls -la/g)).toHaveLength(1)
    expect(callsOf(`POST ${one}/prompts`)[0]?.body).toEqual({ text: 'look' })
    expect(callsOf(`GET ${one}/events`).at(-1)?.headers['last-event-id']).toBe('41')
  })

  it('survives a cut connection without missing or repeating a word', async () => {
    let connections = 0
    onListen(() => {
      connections += 1
      if (connections === 1) {
        emit(begin, delta('One, '))
        const [stream] = streams.splice(0)
        stream?.write(': the last of it\n\n', () => stream.socket?.destroySoon())
      } else {
        emit(said('One, two, three.'), completed)
      }
    })
    expect(await chat([sessionId, '--prompt', 'count'])).toMatchObject({
      code: 0,
      stdout: 'One, two, three.\n',
    })
    expect(connections).toBe(2)
  })

  it.each([
    [{ ...completed, status: 'error', error: 'no credit' }, 'the turn ended with an error: no credit'],
    [{ ...completed, status: 'aborted' }, 'the turn was aborted'],
    [
      { type: 'status', status: 'failed', failure: { message: 'out of memory' } },
      'the session failed: out of memory',
    ],
    [{ type: 'status', status: 'stopped' }, 'the turn was interrupted: the sandbox stopped'],
  ])('exits 1 when it ends otherwise: %j', async (end, words) => {
    onListen(() => emit(begin, end))
    const { code, stderr } = await chat([sessionId, '--prompt', 'x'])
    expect(code).toBe(1)
    expect(stderr).toContain(words)
  })

  it('continues the newest session that has not failed; talk is the same command', async () => {
    onListen(() => emit(begin, completed))
    const { code, stderr } = await cli.run(['sessions', 'talk', '--prompt', 'x'], { env })
    expect(code).toBe(0)
    expect(stderr).toContain(`Session ${sessionId}`)
  })

  it('--new starts a session', async () => {
    onListen(() => emit(begin, completed))
    const { code, stderr } = await chat(['--new', '--prompt', 'x'])
    expect(code).toBe(0)
    expect(stderr).toContain(`New session ${sessionId}`)
    expect(callsOf(`POST ${sessions}`)).toHaveLength(1)
  })

  it('reads the message from a pipe', async () => {
    onListen(() => emit(begin, completed))
    expect((await chat([sessionId], 'from a pipe\n')).code).toBe(0)
    expect(callsOf(`POST ${one}/prompts`)[0]?.body).toEqual({ text: 'from a pipe\n' })
    expect((await chat([sessionId], '')).code).toBe(2)
  })

  it('refuses what the agent asks for, since nobody is there to answer', async () => {
    onListen(() => {
      emit(begin, {
        type: 'permission',
        request_id: 'p',
        permission: 'bash',
        patterns: ['rm *'],
        state: 'asked',
      })
      emit({ type: 'question', request_id: 'q', questions: [{ question: 'Which?' }], state: 'asked' })
      emit({ type: 'permission', request_id: 'p', permission: 'bash', state: 'replied' }, completed)
    })
    expect((await chat([sessionId, '--prompt', 'x'])).code).toBe(0)
    expect(callsOf(act).map(({ body }) => body)).toEqual([
      {
        kind: 'permission',
        id: 'p',
        reply: 'reject',
        message: 'There is no terminal at which a person could answer.',
      },
      { kind: 'question', id: 'q', reject: true },
    ])
  })

  it('a message that is refused fails', async () => {
    api.routes[`POST ${one}/prompts`] = () => refusal(409, 'conflict', 'The session is over')
    onListen(() => undefined)
    const { code, stderr } = await chat([sessionId, '--prompt', 'x'])
    expect(code).toBe(1)
    expect(stderr).toContain('The session is over (conflict, 409)')
  })
})

describe('Ctrl-C', () => {
  it('once aborts the turn and waits for its end', async () => {
    onListen(() => {
      emit(begin, delta('Working'))
      running.child.kill('SIGINT')
    })
    api.routes[act] = () => {
      emit({ ...completed, status: 'aborted' })
      return { status: 200, body: {} }
    }
    const running = cli.start(['sessions', 'chat', sessionId, '--prompt', 'x'], { env })
    const { code, stdout, stderr } = await running.result
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'Working\n' })
    expect(stderr).toContain('the turn was aborted')
    expect(callsOf(act).map(({ body }) => body)).toEqual([{ kind: 'stop' }])
  })

  it('twice leaves', async () => {
    onListen(() => {
      emit(begin)
      running.child.kill('SIGINT')
    })
    api.routes[act] = () => {
      running.child.kill('SIGINT')
      return { status: 200, body: {} }
    }
    const running = cli.start(['sessions', 'chat', sessionId, '--prompt', 'x'], { env })
    const { code, stderr } = await running.result
    expect(code).toBe(1)
    expect(stderr).toContain(`next: svc sessions chat ${sessionId}`)
  })
})
