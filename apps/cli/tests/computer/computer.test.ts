import { once } from 'node:events'
import { mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { pairing } from './pairing.ts'

const require = createRequire(import.meta.url)

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function start(options?: Parameters<typeof pairing>[0]) {
  const pair = await pairing(options)
  closers.push(pair.close)
  await mkdir(join(pair.folder, 'docs/deep'), { recursive: true })
  await writeFile(join(pair.folder, 'docs/a.txt'), 'one\nTwo words\nthree\n')
  await writeFile(join(pair.folder, 'docs/deep/b.bin'), Buffer.from([0, 255, 1]))
  return pair
}

test('files are listed, read, searched and written, and there is no shell', async () => {
  const pair = await start()
  await pair.serve()
  await pair.online()
  const actions = await pair.provider.list(pair.target, AbortSignal.timeout(1_000))
  expect(actions.map(({ action, risk }) => [action, risk])).toEqual([
    ['files.list', 'read'],
    ['files.read', 'read'],
    ['files.search', 'read'],
    ['files.write', 'write'],
  ])
  expect(await pair.call('files.list', { path: 'docs' })).toMatchObject({
    ok: true,
    truncated: false,
    data: {
      entries: [
        { path: 'docs/a.txt', type: 'file', size: 20 },
        { path: 'docs/deep', type: 'folder', size: null },
      ],
    },
  })
  expect(await pair.call('files.read', { path: 'docs/a.txt', offset: 4, limit: 3 })).toMatchObject({
    ok: true,
    truncated: true,
    data: { content: 'Two', encoding: 'utf8', size: 20, bytes: 3 },
  })
  expect(await pair.call('files.read', { path: 'docs/deep/b.bin' })).toMatchObject({
    data: { content: 'AP8B', encoding: 'base64' },
  })
  expect(await pair.call('files.search', { query: 'two' })).toMatchObject({
    data: { matches: [{ path: 'docs/a.txt', line: 2, text: 'Two words' }] },
  })
  expect(await pair.call('files.write', { path: 'docs/new.txt', content: 'héé' })).toMatchObject({ ok: true })
  expect(await pair.call('files.read', { path: 'docs/new.txt', limit: 4 })).toMatchObject({
    truncated: true,
    data: { content: 'hé', encoding: 'utf8', bytes: 3 },
  })
  const written = await pair.call('files.write', { path: 'docs/new.txt', content: 'héllo' })
  expect(written).toMatchObject({ ok: true, data: { path: 'docs/new.txt', size: 6 } })
  expect(written.bytes_out).toBeGreaterThan(50)
  expect(await readFile(join(pair.folder, 'docs/new.txt'), 'utf8')).toBe('héllo')
  expect(await pair.call('shell.run', { command: 'true' })).toMatchObject({
    ok: false,
    reason: 'action_not_found',
    sent: false,
  })
  for (const args of [{}, { path: 7 }, { path: 'none' }, { path: 'docs' }, { path: 'docs/a.txt', limit: 0 }])
    expect(await pair.call('files.read', args)).toMatchObject({
      ok: false,
      reason: 'invalid_arguments',
      sent: false,
    })
})

test('nothing outside of the folder is reached, by no path and by no link', async () => {
  const pair = await start()
  const root = join(pair.folder, 'docs')
  await writeFile(join(pair.folder, 'secret.txt'), 'secret')
  await mkdir(join(pair.folder, 'docs-beside'))
  await symlink('../secret.txt', join(root, 'link.txt'))
  await symlink('..', join(root, 'up'))
  await symlink('../nowhere.txt', join(root, 'dangling.txt'))
  await pair.serve({ root })
  await pair.online()
  const outside = [
    '../secret.txt',
    join(pair.folder, 'secret.txt'),
    'deep/../../secret.txt',
    'link.txt',
    'up/secret.txt',
    '../docs-beside',
  ]
  for (const path of outside) {
    expect(await pair.call('files.read', { path }), path).toMatchObject({ reason: 'invalid_arguments' })
    expect(await pair.call('files.list', { path }), path).toMatchObject({ reason: 'invalid_arguments' })
    expect(await pair.call('files.write', { path, content: 'x' }), path).toMatchObject({
      reason: 'invalid_arguments',
    })
    expect(await pair.call('files.search', { query: 'secret', path }), path).toMatchObject({
      reason: 'invalid_arguments',
    })
  }
  expect(await pair.call('files.search', { query: 'secret' })).toMatchObject({ data: { matches: [] } })
  // A link that leads nowhere is replaced, and nothing is made where it led.
  expect(await pair.call('files.write', { path: 'dangling.txt', content: 'x' })).toMatchObject({ ok: true })
  await expect(stat(join(pair.folder, 'nowhere.txt'))).rejects.toThrow(/ENOENT/)
  expect(await readFile(join(pair.folder, 'secret.txt'), 'utf8')).toBe('secret')
})

const append = { command: 'echo ran >> runs.txt; echo out; echo err >&2; exit 3' }

test('a call that is sent again is answered from the file, also by a computer that was started again', async () => {
  const pair = await start()
  const { stop } = await pair.serve({ allow_shell: true })
  await pair.online()
  const key = { idempotency_key: 'same' }
  const first = await pair.call('shell.run', append, key)
  expect(first).toMatchObject({
    ok: true,
    data: { exit_code: 3, signal: null, stdout: 'out\n', stderr: 'err\n' },
  })
  expect(await pair.call('shell.run', append, key)).toEqual(first)
  await stop()
  await pair.offline()
  await pair.serve({ allow_shell: true })
  await pair.online()
  expect(await pair.call('shell.run', append, key)).toEqual(first)
  expect(await readFile(join(pair.folder, 'runs.txt'), 'utf8')).toBe('ran\n')
  expect((await stat(pair.journal)).mode & 0o777).toBe(0o600)
})

test('a call during which the computer went down is unknown, and a torn file is read', async () => {
  const pair = await start()
  const begun = { call_id: 'begun', at: Date.now(), result: null }
  const old = { call_id: 'old', at: Date.now() - 8 * 24 * 3_600_000, result: null }
  await writeFile(pair.journal, `${JSON.stringify(old)}\n${JSON.stringify(begun)}\n{"call_id":"torn","at":`)
  await pair.serve({ allow_shell: true })
  await pair.online()
  const run = (idempotency_key: string) => pair.call('shell.run', append, { idempotency_key })
  expect(await run('begun')).toMatchObject({ ok: false, reason: 'outcome_unknown', sent: true })
  expect(await run('old')).toMatchObject({ ok: true })
  expect(await run('torn')).toMatchObject({ ok: true })
  expect(await readFile(join(pair.folder, 'runs.txt'), 'utf8')).toBe('ran\nran\n')
})

test('a connection that breaks during a call is made again, and the call ends once', async () => {
  const pair = await start()
  await pair.serve({ allow_shell: true })
  await pair.online()
  const command = 'echo ran >> runs.txt; until [ -e go ]; do sleep 0.05; done; echo done'
  const call = pair.call('shell.run', { command })
  const runs = () => readFile(join(pair.folder, 'runs.txt'), 'utf8').catch(() => '')
  await expect.poll(runs).toBe('ran\n')
  pair.breakConnections()
  await expect.poll(() => pair.upgrades.length).toBe(2)
  await pair.online()
  await writeFile(join(pair.folder, 'go'), '')
  expect(await call).toMatchObject({ ok: true, data: { stdout: 'done\n' } })
  expect(await runs()).toBe('ran\n')
})

test('a call that is aborted is unknown, and its whole process ends', async () => {
  const pair = await start()
  await pair.serve({ allow_shell: true })
  await pair.online()
  const limit = new AbortController()
  const notes: string[] = []
  const call = pair.call(
    'shell.run',
    { command: 'sleep 300 & echo $!; wait' },
    { signal: limit.signal, onProgress: (text) => void notes.push(text) },
  )
  await expect.poll(() => notes.length).toBeGreaterThan(0)
  limit.abort(new Error('the limit'))
  expect(await call).toMatchObject({ ok: false, reason: 'outcome_unknown', sent: true })
  await expect.poll(() => isAlive(Number(notes[0]))).toBe(false)
})

async function isAlive(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => 'Z')
  return !/\) Z /.test(status) && status !== 'Z'
}

test('a computer that is not there is said to be offline before anything is sent', async () => {
  const pair = await start()
  let sends = 0
  const beforeSend = async () => void sends++
  const offline = { ok: false, reason: 'computer_offline', sent: false }
  expect(await pair.call('files.list', {}, { beforeSend })).toMatchObject(offline)
  await expect(pair.provider.list(pair.target, AbortSignal.timeout(1_000))).rejects.toMatchObject({
    reason: 'computer_offline',
  })
  await expect(
    pair.provider.list({ ...pair.target, external_ref: null }, AbortSignal.timeout(1_000)),
  ).rejects.toMatchObject({
    reason: 'connector_not_connected',
  })
  const { stop } = await pair.serve()
  await pair.online()
  expect(await pair.call('files.list', {}, { beforeSend })).toMatchObject({ ok: true })
  expect(await pair.call('files.list', {}, { beforeSend, signal: AbortSignal.abort() })).toMatchObject({
    reason: 'upstream_timeout',
    sent: false,
  })
  await expect(
    pair.call('files.list', {}, { beforeSend: async () => Promise.reject(new Error('no row')) }),
  ).rejects.toThrow('no row')
  await stop()
  await pair.offline()
  expect(await pair.call('files.list', {}, { beforeSend })).toMatchObject(offline)
  expect(sends).toBe(1)
})

test('tools of an MCP server over stdio are served beside its own', async () => {
  const pair = await start()
  const found = require.resolve('@modelcontextprotocol/server-filesystem/dist/index.js')
  const command = `"${process.execPath}" '${found}' "${pair.folder}"`
  await pair.serve({ mcp: [command] })
  await pair.online()
  const actions = await pair.provider.list(pair.target, AbortSignal.timeout(1_000))
  expect(actions.find(({ action }) => action === 'read_text_file')).toMatchObject({ risk: 'read' })
  expect(actions.find(({ action }) => action === 'write_file')).toMatchObject({ risk: 'destructive' })
  const path = join(pair.folder, 'docs/a.txt')
  expect(await pair.call('read_text_file', { path })).toMatchObject({
    ok: true,
    data: { content: [{ type: 'text', text: 'one\nTwo words\nthree\n' }] },
  })
  expect(await pair.call('read_text_file', { path: '/etc/passwd' })).toMatchObject({
    ok: false,
    reason: 'upstream_error',
    message: expect.stringMatching(/denied/),
    data: { content: [{ type: 'text' }] },
  })
})

test('a wrong token ends the run with what to do, and a second computer ends the first', async () => {
  const pair = await start()
  const wrong = await pair.serve({ token: async () => 'bad' })
  await expect(wrong.ended).rejects.toThrow(/does not know this sign-in/)
  expect(new Set(pair.upgrades)).toEqual(new Set(['Bearer bad']))
  const first = await pair.serve()
  await pair.online()
  await pair.serve({ name: 'desktop', journal: join(pair.state, 'other.jsonl') })
  await expect(first.ended).rejects.toThrow(/Another computer/)
  await pair.online()
  expect(await pair.call('files.list', {})).toMatchObject({ ok: true })
})

test('a file of executed calls that the served tools could change is refused', async () => {
  const pair = await start()
  const { ended } = await pair.serve({ journal: join(pair.folder, 'docs', 'calls.jsonl') })
  await expect(ended).rejects.toThrow(/keep it elsewhere, or serve a narrower folder/)
  await pair.serve()
  await pair.online()
  await expect((await pair.serve()).ended).rejects.toThrow(/served already by process \d+/)
})

async function openSocket(url: URL): Promise<WebSocket> {
  const socket = new WebSocket(url, 'svc.computer.v1', { headers: { authorization: 'Bearer good' } })
  await once(socket, 'open')
  return socket
}

test('what is no frame ends a connection', async () => {
  const pair = await start()
  const socket = await openSocket(pair.url)
  socket.send('{ "type": "call" }')
  expect((await once(socket, 'close'))[0]).toBe(1008)
})

test('a computer that says nothing any more is offline', async () => {
  const hellos: string[] = []
  const onHello = (name: string) => void hellos.push(name)
  const pair = await start({ ping_ms: 50, silence_ms: 2_000, onHello })
  const socket = await openSocket(pair.url)
  socket.send(JSON.stringify({ type: 'hello', name: 'silent', tools: [] }))
  await pair.online()
  await once(socket, 'close')
  await pair.offline()
  expect(hellos).toEqual(['silent'])
})

test('a platform that is away is said to be so once, and dialled until it is there', async () => {
  const pair = await start()
  const states: string[] = []
  let tries = 0
  const token = async () => {
    tries += 1
    return 'good'
  }
  const away = new URL('ws://127.0.0.1:1/')
  await pair.serve({ url: away, token, onState: (state) => void states.push(state) })
  await expect.poll(() => tries).toBeGreaterThan(6)
  expect(states).toEqual(['unreachable'])
})
