import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasTerminal, onTerminal } from './support/on-terminal.ts'
import { openWorld } from './support/open-world.ts'
import { me, projectId, sessionId } from './support/records.ts'
import { ok, refusal } from './support/stub-api.ts'

const thread_id = '77777777-7777-4777-8777-777777777777'
const delivery_id = '88888888-8888-4888-8888-888888888888'
const link_id = '99999999-9999-4999-8999-999999999999'
const base = `/v1/projects/${projectId}/channels`
const one = `${base}/svc_chat_a`
const at = '2026-01-02T00:00:00Z'
const { cli, api, env, run, bodyOf } = await openWorld()

const receive_url = `https://svc.test/v1/webhooks/channels/${thread_id}`
const channel = {
  ...{ channel_id: thread_id, project_id: projectId, slug: 'svc_chat_a', name: 'Slack', platform: 'chat_a' },
  ...{
    status: 'degraded',
    transport: 'events',
    agent: null,
    policy: 'owner_approval',
    thread_replies: 'all',
  },
  conversations: { C1: { name: '#shop', policy: 'project_open', agent: 'reviewer' }, C2: {} },
  settings: { transport: 'events', api_url: 'https://slack.test' },
  identity: { tenant: 'T1', tenant_name: 'Acme', user_id: 'U1', name: 'svc' },
  ...{ blocked_until: null, last_error: 'timed\nout', last_received_at: null, created_by: me.user_id },
  ...{ created_at: at, updated_at: at, receive_url },
}
const link = {
  ...{ link_id, account_id: me.account_id, platform: 'chat_a', tenant: 'T1', external_user: 'U2' },
  ...{ display: 'Ada', user_id: me.user_id, created_at: at, last_used_at: null },
}
const message = {
  ...{ message_id: link_id, thread_id, position: 3, kind: 'answer', state: 'failed', revision: 0 },
  ...{ error: 'channel_not_found', created_at: at, sent_at: null },
}

describe('svc channels', () => {
  it('lists them, and shows one with its conversations', async () => {
    api.routes[`GET ${base}`] = () => ok({ channels: [channel] })
    api.routes[`GET ${one}`] = () => ok(channel)
    const listed = await run(['channels', 'ls'])
    expect(listed.stdout).toMatch(
      /svc_chat_a\s+chat_a\s+degraded\s+svc in Acme\s+the default\s+never\s+timed out/,
    )
    const { stdout } = await run(['channels', 'show', 'svc_chat_a'])
    expect(stdout).toContain(receive_url)
    expect(stdout).toMatch(/^api_url\s+https:\/\/slack\.test$/m)
    expect(stdout).toMatch(/^C1\s+#shop\s+reviewer\s+project_open$/m)
    api.routes[`GET ${base}`] = () => ok({ channels: [] })
    const none = await run(['channels', 'ls'])
    expect([none.stdout, none.stderr]).toEqual(['', 'No channels yet: svc channels connect chat_a\n'])
  })

  it('connects Slack with credentials from stdin, and says what to paste where', async () => {
    api.routes[`POST ${base}`] = () => ({ status: 201, body: channel })
    const line = ['channels', 'connect', 'chat_a', '--transport', 'events', '--thread-replies', 'mention']
    const credentials = { bot_token: 'xoxb-1', signing_secret: 's' }
    const { code, stdout, stderr } = await run([...line, '--agent', 'reviewer', '--credentials', '-'], {
      input: JSON.stringify(credentials),
    })
    expect([code, stdout]).toEqual([0, `Connected svc_chat_a as svc in Acme (degraded)\n${receive_url}\n`])
    expect(stderr).toMatch(/Event Subscriptions[^]*app_mention, message\.channels[^]*Interactivity/)
    expect(bodyOf('POST')).toEqual({
      ...{ platform: 'chat_a', agent: 'reviewer', thread_replies: 'mention', credentials },
      settings: { transport: 'events' },
    })
  })

  it('connects Matrix and mail with what each needs', async () => {
    const other = { ...channel, receive_url: null, identity: null, status: 'pending' }
    api.routes[`POST ${base}`] = () => ({ status: 201, body: other })
    const matrix = ['channels', 'connect', 'chat_b', '--homeserver', 'https://m.test', '--slug', 'room']
    const made = await run([...matrix, '--credentials', '-'], { input: '{"access_token":"t"}' })
    expect(made.stdout).toBe('Connected svc_chat_a (pending)\n')
    expect(bodyOf('POST')).toEqual({
      ...{ platform: 'chat_b', slug: 'room', credentials: { access_token: 't' } },
      settings: { homeserver_url: 'https://m.test' },
    })
    await run(['channels', 'connect', 'email', '--local', 'svc', '--credentials', '-'], { input: '{}' })
    expect(api.calls.at(-1)?.body).toEqual({ platform: 'email', credentials: {}, settings: { local: 'svc' } })
    const imap = { host: 'imap.example.com', port: 993, user: 'svc', password: 'p' }
    await run(
      [
        ...['channels', 'connect', 'email', '--address', 'svc@example.com'],
        '--authserv',
        'mx.example.com',
        '--credentials',
        '-',
      ],
      { input: JSON.stringify({ imap }) },
    )
    expect(api.calls.at(-1)?.body).toEqual({
      ...{ platform: 'email', credentials: { imap } },
      settings: { address: 'svc@example.com', authserv_id: 'mx.example.com' },
    })
  })

  it.each([
    [['connect', 'slack'], 'Allowed choices are chat_a, chat_b, email'],
    [['connect', 'chat_b'], 'chat_b needs --homeserver'],
    [['connect', 'chat_a', '--local', 'x'], '--local is for email, not for chat_a'],
    [['connect', 'chat_b', '--authserv', 'x'], '--authserv is for email, not for chat_b'],
    [['connect', 'chat_a'], 'there is no terminal to ask on'],
    [['connect', 'chat_a', '--credentials', 'xoxb-1'], 'can be seen by others'],
    [['connect', 'chat_a', '--credentials', '-'], 'stdin must be a JSON object'],
    [['connect', 'chat_a', '--policy', 'odd'], 'Allowed choices are owner_only'],
    [['set', 'svc_chat_a'], 'nothing says what to change'],
    [['set', 'svc_chat_a', '--conversation', 'C1'], 'give it as <id>=<agent>'],
    [['deliveries', 'svc_chat_a', '--verdict', 'odd'], 'Allowed choices are pending'],
    [['messages', 'svc_chat_a', '--state', 'odd'], 'Allowed choices are pending'],
    [['links', '--limit', '3'], 'for the links of a channel'],
    [['link', 'token'], 'there is no terminal to ask on'],
    [['unlink', link_id, '--project', projectId], '--project goes with --channel'],
    [['send', 'svc_chat_a', '--text', 'x'], 'just one of --thread and --to'],
    [['send', 'svc_chat_a', '--text', ' ', '--to', 'C1'], '--text must not be blank'],
    [['disconnect', 'svc_chat_a'], 'there is no terminal to ask on'],
  ])('%j is a misuse, and no request', async (words, problem) => {
    const { code, stdout, stderr } = await run(['channels', ...words])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(problem)
    expect(stderr).not.toContain('xoxb')
    expect(api.calls).toEqual([])
  })

  it('says why it was refused, and the next step', async () => {
    api.routes[`POST ${base}`] = () =>
      refusal(400, 'channel_not_declared', 'svc.yaml declares no channel room')
    const line = ['channels', 'connect', 'chat_a', '--slug', 'room', '--credentials', '-']
    const { code, stderr } = await run(line, { input: '{"bot_token":"t"}' })
    expect(code).toBe(1)
    expect(stderr).toContain('svc.yaml declares no channel room')
    expect(stderr).toContain('next: declare a connector with provider channel')
  })

  it.each([
    [['--no-agent', '--policy', 'owner_only'], { agent: null, policy: 'owner_only' }],
    [['--agent', 'writer', '--name', 'Chat'], { agent: 'writer', name: 'Chat' }],
    [
      ['--conversation', 'C2=writer', '--conversation', 'C1=', '--conversation', '!r:m.test=writer'],
      {
        conversations: {
          C1: { name: '#shop', policy: 'project_open' },
          C2: { agent: 'writer' },
          '!r:m.test': { agent: 'writer' },
        },
      },
    ],
    [['--drop-conversation', 'C1'], { conversations: { C2: {} } }],
    [['--credentials', '-'], { credentials: { bot_token: 'xoxb-2' } }],
  ])('changes what is named and leaves the rest: %j', async (flags, body) => {
    api.routes[`GET ${one}`] = () => ok(channel)
    api.routes[`PATCH ${one}`] = () => ok(channel)
    const { code } = await run(['channels', 'set', 'svc_chat_a', ...flags], {
      input: '{"bot_token":"xoxb-2"}',
    })
    expect(code).toBe(0)
    expect(bodyOf('PATCH')).toEqual(body)
  })

  it('tests one: each check, and 1 when one of them fails', async () => {
    const checks = [
      { name: 'credentials', ok: true, message: 'The bot is svc' },
      { name: 'scopes', ok: false, message: 'chat:write is missing' },
    ]
    api.routes[`POST ${one}/test`] = () => ok({ ok: false, checks })
    const { code, stdout, stderr } = await run(['channels', 'test', 'svc_chat_a'])
    expect([code, stderr]).toEqual([1, ''])
    expect(stdout).toMatch(/scopes\s+FAILED\s+chat:write is missing/)
    api.routes[`POST ${one}/test`] = () => ok({ ok: true, checks: checks.slice(0, 1) })
    expect((await run(['channels', 'test', 'svc_chat_a', '--json'])).code).toBe(0)
  })

  it('lists threads, deliveries and messages, and replays one', async () => {
    const owner = { link_id, display: 'Ada', user_id: me.user_id }
    const thread = { ...{ thread_id, external_key: 'T1/C1/1.2', session_id: sessionId, owner } }
    api.routes[`GET ${one}/threads`] = () =>
      ok({
        threads: [{ ...thread, title: 'Fix the\nlogin', agent: null, policy: 'owner_only', created_at: at }],
        next_cursor: null,
      })
    const delivery = {
      ...{ delivery_id, platform_id: 'Ev1', kind: 'message', sender: 'U2', text: 'two\nlines' },
      ...{ received_at: at, verdict: 'failed', reason: 'no_agent', thread_id, prompt_id: null, attempts: 5 },
    }
    api.routes[`GET ${one}/deliveries`] = () => ok({ deliveries: [delivery], next_cursor: null })
    api.routes[`GET ${one}/messages`] = () => ok({ messages: [message], next_cursor: null })
    api.routes[`POST ${one}/deliveries/${delivery_id}/replay`] = () => ({ status: 202, body: delivery })
    const list = (...words: string[]) => run(['channels', ...words])
    expect((await list('threads', 'svc_chat_a')).stdout).toMatch(
      new RegExp(`${thread_id}\\s+${sessionId}\\s+Fix the login\\s+Ada\\s+owner_only`),
    )
    const received = await list('deliveries', 'svc_chat_a', '--verdict', 'failed')
    expect(received.stdout).toMatch(/message\s+U2\s+two lines\s+failed\s+no_agent/)
    expect(received.stderr).toContain(`svc channels replay svc_chat_a ${delivery_id}`)
    expect(api.calls.at(-1)?.query.get('verdict')).toBe('failed')
    const sent = await list('messages', 'svc_chat_a', '--state', 'failed', '--limit', '3')
    expect(sent.stdout).toMatch(/answer\s+failed\s+0\s+.*channel_not_found/)
    expect(Object.fromEntries(api.calls.at(-1)?.query ?? [])).toEqual({ state: 'failed', limit: '3' })
    expect((await list('replay', 'svc_chat_a', delivery_id)).stdout).toContain('waits again')
  })

  it('sends into a thread or a conversation', async () => {
    api.routes[`POST ${one}/messages`] = () => ({ status: 202, body: message })
    const { stdout } = await run(['channels', 'send', 'svc_chat_a', '--text', 'Hi', '--to', 'C1'])
    expect(stdout).toBe(`On its way  ${link_id}\n`)
    expect(bodyOf('POST')).toEqual({ conversation: 'C1', text: 'Hi' })
    await run(['channels', 'send', 'svc_chat_a', '--text', 'Hi', '--thread', thread_id])
    expect(api.calls.at(-1)?.body).toEqual({ thread_id, text: 'Hi' })
    // An agent goes on in its own thread.
    await run(['channels', 'send', 'svc_chat_a', '--text', 'Hi'], { env: { SVC_SESSION_ID: thread_id } })
    expect(api.calls.at(-1)?.body).toEqual({ text: 'Hi' })
  })

  it('sends files along, as parts of a form', async () => {
    api.routes[`POST ${one}/messages`] = () => ({ status: 202, body: message })
    const folder = mkdtempSync(join(tmpdir(), 'svc-send-'))
    writeFileSync(join(folder, 'a b.bin'), Buffer.from([0, 255]))
    writeFileSync(join(folder, 'c.txt'), 'see')
    const send = ['channels', 'send', 'svc_chat_a', '--to', 'C1', '--text', 'Hi']
    const files = ['a b.bin', 'c.txt'].flatMap((name) => ['--file', join(folder, name)])
    expect((await run([...send, ...files])).code).toBe(0)
    const form = String(api.calls.at(-1)?.body)
    expect(form).toMatch(/name="message"\s+\{"conversation":"C1","text":"Hi"\}/)
    expect(form).toMatch(/name="file"; filename="a b.bin"/)
    expect(form).toMatch(/name="file"; filename="c.txt"[\s\S]*see/)
    const { code, stderr } = await run([...send, '--file', join(folder, 'none')])
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/cannot read --file .* \(ENOENT\)\nnext: check the path/),
    ])
    rmSync(folder, { recursive: true })
  })

  it('links a sender after a look at who it is, lists links and ends them', async () => {
    const project = { project_id: projectId, name: 'Shop' }
    api.routes['POST /v1/channel-links/preview'] = () =>
      ok({ platform: 'chat_a', tenant: 'T1', display: 'Ada', project })
    api.routes['POST /v1/channel-links'] = () => ({ status: 201, body: link })
    api.routes['GET /v1/channel-links'] = () => ok({ links: [link] })
    api.routes[`GET ${one}/links`] = () => ok({ links: [link], next_cursor: null })
    api.routes[`DELETE /v1/channel-links/${link_id}`] = () => ({ status: 204 })
    api.routes[`DELETE ${one}/links/${link_id}`] = () => ({ status: 204 })
    const address = 'https://svc.test/dashboard/link#token=tok_1'
    const made = await run(['channels', 'link', address, '--yes'])
    expect([made.code, made.stdout]).toEqual([0, `Linked Ada  ${link_id}\n`])
    expect(made.stderr).toContain('Ada of T1 (chat_a), who wrote in Shop')
    expect(api.calls.map(({ body }) => body)).toEqual([{ token: 'tok_1' }, { token: 'tok_1' }])
    const listed = [await run(['channels', 'links']), await run(['channels', 'links', 'svc_chat_a'])]
    for (const { stdout } of listed) expect(stdout).toMatch(/chat_a\s+T1\s+Ada\s+\S+\s+never/)
    expect((await run(['channels', 'unlink', link_id])).stdout).toBe(`Ended link ${link_id}\n`)
    expect((await run(['channels', 'unlink', link_id, '--channel', 'svc_chat_a'])).code).toBe(0)
    expect(api.calls.slice(-2).map(({ path }) => path)).toEqual([
      `/v1/channel-links/${link_id}`,
      `${one}/links/${link_id}`,
    ])
  })

  it('disconnects without a question by --yes', async () => {
    api.routes[`DELETE ${one}`] = () => ({ status: 204 })
    const { code, stdout } = await run(['channels', 'disconnect', 'svc_chat_a', '--yes'])
    expect([code, stdout]).toEqual([0, 'Disconnected svc_chat_a. Its threads stay.\n'])
  })
})

describe.skipIf(!hasTerminal)('on a terminal', () => {
  const typing = (words: string, typed: readonly (readonly [RegExp, string])[]) =>
    onTerminal(`${process.execPath} ${cli.launcher} channels ${words}`, {
      ...{ cwd: cli.work, columns: 100, env, typed },
    })

  it('asks for the credentials one by one, unseen', async () => {
    api.routes[`POST ${base}`] = () => ({ status: 201, body: channel })
    const output = await typing('connect chat_a', [
      [/bot token/, 'xoxb-unseen\n'],
      [/signing secret/, '\n'],
      [/app token/, 'xapp-unseen\n'],
    ])
    expect(output).not.toContain('unseen')
    expect(bodyOf('POST')).toMatchObject({
      credentials: { bot_token: 'xoxb-unseen', app_token: 'xapp-unseen' },
    })
  })

  it('asks before it links and before it disconnects, and does nothing on a no', async () => {
    const project = { project_id: projectId, name: 'Shop' }
    api.routes['POST /v1/channel-links/preview'] = () =>
      ok({ platform: 'chat_a', tenant: 'T1', display: 'Ada', project })
    expect(await typing('link tok_1', [[/Is that you/, 'n\n']])).toContain('nothing was linked')
    expect(await typing('disconnect svc_chat_a', [[/destroy/, '\n']])).toContain('nothing was disconnected')
    expect(api.calls.map(({ path }) => path)).toEqual(['/v1/channel-links/preview'])
  })
})
