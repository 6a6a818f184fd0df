import { once } from 'node:events'
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { signUserContext } from '../src/access/user-context.ts'
import { agentrt } from './support/dialects.ts'
import { describeDaemon } from './support/each-file.ts'
import { testProxiedPorts } from './support/proxied-ports.ts'
import { openEvents } from './support/read-events.ts'
import { waitFor } from './support/wait-for.ts'

describeDaemon(agentrt, '127.41.0.3', (sandbox) => {
  const asUser = (role: 'owner' | 'viewer' = 'owner') => ({
    'x-svc-user-context': sandbox().userContext(role),
    authorization: '',
  })
  const get = (path: string, headers: Record<string, string>) => sandbox().call(path, { headers })

  test('while the runtime boots: health answers, prompts are taken, the runtime is 503', async () => {
    sandbox().start()
    await waitFor('the daemon', () => sandbox().health())
    const answer = await get('/session', asUser())
    // On a fast machine the runtime may already be there.
    if (answer.status !== 200) {
      expect(answer).toMatchObject({ status: 503, body: { error: true, code: 'runtime_starting' } })
      expect(answer.headers.get('retry-after')).toBe('2')
    }
    const prompt_id = await sandbox().prompt('early bird')
    await sandbox().ready()
    expect((await sandbox().turnEnd(prompt_id)).status).toBe('completed')
  })

  test('everything but health wants a credential', async () => {
    const { session_id, key } = sandbox()
    expect((await get('/svc/health', { authorization: '' })).status).toBe(200)
    for (const path of ['/svc/runtime/state', '/svc/nothing', '/proxy/3000/', '/session', '/']) {
      expect(await get(path, { authorization: '' })).toMatchObject({
        status: 401,
        body: { error: 'unauthorized', reason: 'missing' },
      })
    }
    expect((await get('/svc/runtime/state', { authorization: 'Bearer wrong' })).status).toBe(401)
    // The service key is for the daemon's own routes; what is proxied wants to know which person asks.
    expect((await get('/session', {})).status).toBe(401)
    const past = Math.floor(Date.now() / 1000) - 100
    const old = {
      userId: 'u',
      sandboxId: session_id,
      sandboxRole: 'owner' as const,
      scopes: [],
      iat: past,
      exp: past + 60,
    }
    expect(await get('/session', { 'x-svc-user-context': signUserContext(old, key) })).toMatchObject({
      status: 401,
      body: { reason: 'expired' },
    })
    expect((await get('/svc/nothing', {})).status).toBe(404)
  })

  test('a viewer looks and does not drive', async () => {
    const headers = asUser('viewer')
    expect((await get('/svc/runtime/state', headers)).status).toBe(200)
    for (const path of [
      '/svc/runtime/prompt',
      '/svc/runtime/act',
      '/svc/abort',
      '/svc/env',
      '/svc/refresh',
    ]) {
      expect((await sandbox().call(path, { method: 'POST', body: {}, headers })).status).toBe(403)
    }
    expect((await get('/session', headers)).status).toBe(403)
  })

  test('the environment, a drain and a withdrawal are the platform’s alone', async () => {
    for (const path of ['/svc/env', '/svc/drain', '/svc/withdraw', '/svc/monitors']) {
      const answer = await sandbox().call(path, { body: {}, headers: asUser('owner') })
      expect(answer, path).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    }
  })

  test('other paths reach the runtime, which never sees the context', async () => {
    const sessions = await get(`/session?__svc_user_context=${sandbox().userContext()}`, {
      authorization: '',
    })
    expect(sessions.status).toBe(200)
    expect(JSON.stringify(sessions.body)).toContain(`Session ${sandbox().session_id}`)
  })

  test('bodies are checked', async () => {
    const post = async (path: string, body: unknown) => (await sandbox().call(path, { body })).status
    expect(await post('/svc/runtime/prompt', { text: '  ' })).toBe(400)
    expect(await post('/svc/runtime/prompt', { text: 'x'.repeat(300 * 1024) })).toBe(400)
    expect(await post('/svc/runtime/prompt', { text: 'x', prompt_id: 'no-uuid' })).toBe(400)
    expect(await post('/svc/runtime/act', { kind: 'dance' })).toBe(400)
    expect(await post('/svc/runtime/act', { kind: 'permission', id: 'per_none', reply: 'once' })).toBe(404)
    expect(await post('/svc/env', { set: { SVC_TOKEN: 'x' } })).toBe(400)
    expect(await post('/svc/env', { unset: ['not a name'] })).toBe(400)
    expect((await get('/svc/runtime/messages?limit=0', {})).status).toBe(400)
  })

  test('events are streamed with a cursor that can be resumed', async () => {
    const first = await openEvents(sandbox(), asUser())
    const hello = await first.next('hello')
    await sandbox().turnEnd(await sandbox().prompt('stream this'))
    const begin = await first.next('turn')
    const message = await first.next('message')
    const end = await first.next('turn')
    expect(begin.data).toMatchObject({ state: 'begin' })
    expect(message.data).toMatchObject({ role: 'user', text: 'stream this' })
    expect(end.data).toMatchObject({ state: 'end', status: 'completed' })
    first.close()

    const again = await openEvents(sandbox(), { ...asUser(), 'last-event-id': begin.id ?? '' })
    expect((await again.next('hello')).data['epoch']).toBe(hello.data['epoch'])
    expect((await again.next('message')).id).toBe(message.id)
    again.close()

    const stale = await openEvents(sandbox(), { ...asUser(), 'last-event-id': 'other-run:5' })
    await stale.next('resync')
    stale.close()
  })

  test('messages are paged, and the transcript is whole', async () => {
    const all = (await get('/svc/runtime/transcript', {})).body as {
      messages: { message_id: string; text: string }[]
    }
    expect(all.messages.map(({ text }) => text)).toEqual([
      'early bird',
      'heard: early bird',
      'stream this',
      'heard: stream this',
    ])
    const newest = (await get('/svc/runtime/messages?limit=2', {})).body as {
      messages: object[]
      next_before: string
    }
    expect(newest.messages).toEqual(all.messages.slice(2))
    const older = (await get(`/svc/runtime/messages?limit=2&before=${newest.next_before}`, {})).body
    expect(older).toMatchObject({ messages: all.messages.slice(0, 2) })
    const after = (await get(`/svc/runtime/messages?after=${all.messages[0]?.message_id}&limit=2`, {})).body
    expect(after).toMatchObject({ messages: all.messages.slice(1, 3) })
  })

  test('files are read inside the workspace only', async () => {
    const { workspace } = sandbox()
    mkdirSync(join(workspace, 'dir'))
    writeFileSync(join(workspace, 'dir/ä b.bin'), Buffer.from([0, 1, 255]))
    symlinkSync('/etc', join(workspace, 'dir/out'))
    symlinkSync('../README.md', join(workspace, 'dir/in'))
    expect((await get('/svc/runtime/files?path=dir', {})).body).toEqual({
      path: 'dir',
      entries: [
        { path: 'dir/in', type: 'symlink', size: null },
        { path: 'dir/out', type: 'symlink', size: null },
        { path: 'dir/ä b.bin', type: 'file', size: 3 },
      ],
    })
    const content = (path: string) => get(`/svc/runtime/files/content?path=${encodeURIComponent(path)}`, {})
    expect(await content('dir/in')).toMatchObject({ status: 200, body: 'hello\n' })
    expect((await content('dir/ä b.bin')).headers.get('content-length')).toBe('3')
    for (const path of ['dir/out/passwd', '../home/.svc/state.json', '/etc/passwd', 'none', 'dir/../../x']) {
      expect((await content(path)).status).toBe(404)
    }
    expect((await content('dir')).status).toBe(400)
    expect((await get('/svc/runtime/files?path=README.md', {})).status).toBe(400)
  })

  testProxiedPorts(sandbox)

  test('the environment is changed, and the runtime starts anew with it', async () => {
    const { model, platform } = sandbox()
    const env = (text: string) => [
      { tool: { name: 'bash', args: { command: 'env', description: 'shows' } } },
      { text },
    ]
    model.on('show env', env('shown'))
    const answer = await sandbox().call('/svc/env', {
      // A secret may be called so: the platform's own names are in capitals.
      body: { set: { ADDED: 'new-value-1', svc_added: 'new-value-2' }, unset: ['PROJECT_SECRET'] },
    })
    expect(answer).toMatchObject({ status: 200, body: { ok: true, restart: 'now' } })
    await sandbox().turnEnd(await sandbox().prompt('show env'))
    const output = JSON.stringify(platform.events('tool').at(-1)?.payload)
    expect(output).toContain('ADDED=new-value-1')
    expect(output).toContain('svc_added=new-value-2')
    expect(output).not.toContain('PROJECT_SECRET=')
    expect((await sandbox().ready()).status).toBe('ready')
  })

  test('secrets that come during a turn wait for its end, and come once', async () => {
    const { model, platform, workspace } = sandbox()
    const shell = (command: string) => ({ tool: { name: 'bash', args: { command, description: 'waits' } } })
    model.on('hold on', [shell('touch held; until [ -e go ]; do sleep 0.1; done'), { text: 'went on' }])
    model.on('show secrets', [shell('env'), { text: 'shown' }])
    const prompt_id = await sandbox().prompt('hold on')
    await waitFor('the turn', () => existsSync(join(workspace, 'held')))
    const body = { set: { ROTATED: 'second-value' }, unset: ['ADDED'], revision: 'r2' }
    expect(await sandbox().call('/svc/env', { body })).toMatchObject({ body: { restart: 'when_idle' } })
    expect(await sandbox().call('/svc/env', { body })).toMatchObject({ body: { restart: 'none' } })
    const shown = await sandbox().prompt('show secrets')
    writeFileSync(join(workspace, 'go'), '')
    expect(await sandbox().turnEnd(prompt_id)).toMatchObject({ status: 'completed' })
    expect(await sandbox().turnEnd(shown)).toMatchObject({ status: 'completed' })
    const output = JSON.stringify(platform.events('tool').at(-1)?.payload)
    expect(output).toContain('ROTATED=')
    expect(output).toContain('SVC_PROJECT_SECRETS_REVISION=r2')
    expect(output).not.toContain('ADDED=')
  })

  test('revert goes back to a message', async () => {
    const all = (await get('/svc/runtime/transcript', {})).body as {
      messages: { message_id: string; text: string }[]
    }
    const asked = all.messages.find(({ text }) => text === 'stream this')
    const answer = await sandbox().call('/svc/runtime/act', {
      body: { kind: 'revert', message_id: asked?.message_id },
    })
    expect(answer.status).toBe(200)
    await sandbox().turnEnd(await sandbox().prompt('after the revert'))
    const left = (await get('/svc/runtime/transcript', {})).body as { messages: { text: string }[] }
    expect(left.messages.map(({ text }) => text)).toEqual([
      'early bird',
      'heard: early bird',
      'after the revert',
      'heard: after the revert',
    ])
  })

  test('a body may come without a length, or not at all', async () => {
    const { address, key } = sandbox()
    const post = async (path: string, chunks: readonly string[], more: Record<string, string> = {}) => {
      const headers = { authorization: `Bearer ${key}`, ...more }
      const outgoing = request(`http://${address}:8000${path}`, { method: 'POST', headers, agent: false })
      // Without a chunk there is neither a length nor a body, as curl sends it.
      if (chunks.length === 0) outgoing.useChunkedEncodingByDefault = false
      for (const chunk of chunks) outgoing.write(chunk)
      outgoing.on('error', () => undefined).end()
      const [answer]: IncomingMessage[] = await once(outgoing, 'response')
      if (!answer) throw new Error('no answer')
      return { status: answer.statusCode, body: await json(answer) }
    }
    const body = JSON.stringify({ text: 'sent in pieces' })
    const sent = await post('/svc/runtime/prompt', [body.slice(0, 5), body.slice(5)])
    expect(sent).toMatchObject({ status: 202, body: { prompt_id: expect.any(String) } })
    expect(await post('/svc/runtime/act', ['{"kind":', '"stop"}'])).toMatchObject({ status: 200 })
    expect(await post('/svc/abort', [])).toEqual({ status: 200, body: { ok: true } })
    expect(await post('/svc/abort', [], { 'transfer-encoding': 'chunked' })).toMatchObject({ status: 200 })
    const large = Array.from({ length: 5 }, () => 'x'.repeat(1024 * 1024))
    expect(await post('/svc/runtime/prompt', large)).toMatchObject({
      status: 413,
      body: { code: 'payload_too_large' },
    })
  })
})
