import { describe, expect, it } from 'vitest'
import { hasTerminal, onTerminal } from './support/on-terminal.ts'
import { openWorld } from './support/open-world.ts'
import { me, projectId, session, sessionId, sessionRuntime } from './support/records.ts'
import { ok, refusal } from './support/stub-api.ts'

const { cli, api, env, run, bodyOf } = await openWorld()
const admin = '/v1/admin/harnesses/claude'
const one = `/v1/projects/${projectId}/sessions/${sessionId}`
const sha256 = '8c'.repeat(32)
const ready = {
  ...{ version: '0.49.0', target: 'linux-x64-glibc-node20', state: 'ready', bytes_done: 253_000_000 },
  ...{ bytes: 253_000_000, error: null, last_used_at: '2026-11-27T00:00:00.000Z' },
}
const claude = {
  ...{ name: 'claude', title: 'Claude Code', source: 'known', package: '@a/claude-agent-acp' },
  ...{ version: '0.49.0', versions: ['0.49.0', '0.101.0'], proprietary: true, dialect: 'messages' },
  licences: [
    { name: '@a/claude-agent-acp', spdx: 'Apache-2.0', url: null, sha256: null, accepted: true },
    { name: '@a/claude-agent-sdk', spdx: 'proprietary', url: null, sha256, accepted: false },
  ],
  ...{ mcp: ['http'], auth: ['gateway', 'secrets'], permissions: 'by_mode', bytes: 253_000_000 },
  ...{ available: false, reason: 'licence', message: 'A platform admin has to accept its licence' },
  installs: [ready],
}
const codex = {
  ...{ ...claude, name: 'codex', title: 'Codex', proprietary: false, licences: [] },
  ...{ available: true, reason: null, message: null, installs: [] },
}
const text = { name: '@a/claude-agent-sdk', sha256, text: 'All rights\u001b]0;x\u0007 reserved.\n' }
const unread = { ...text, accepted_at: null, accepted_by: null }
const accepted = { ...text, accepted_at: '2026-11-27T00:00:00.000Z', accepted_by: me.user_id }
const runtime = sessionRuntime()
const { capabilities } = runtime
const [mode] = runtime.config_options

describe('svc harnesses', () => {
  it('lists them, with what stands in the way of each', async () => {
    api.routes['GET /v1/harnesses'] = () => ok({ harnesses: [claude, codex] })
    const { stdout } = await run(['harnesses', 'ls'])
    expect(stdout).toMatch(/claude\s+Claude Code\s+0\.49\.0\s+253 MB\s+A platform admin has to accept/)
    expect(stdout).toMatch(/codex\s+Codex\s+0\.49\.0\s+253 MB\s+installed at the first start/)
    expect(JSON.parse((await run(['harnesses', 'ls', '--json'])).stdout)).toHaveLength(2)
  })

  it('lists those of a project, with the agents that run on each', async () => {
    api.routes[`GET /v1/projects/${projectId}/harnesses`] = () =>
      ok({ default: 'codex', agents: { writer: 'claude', tester: 'claude' }, harnesses: [claude, codex] })
    const { stdout, stderr } = await run(['harnesses', 'ls', '--project', projectId])
    expect(stdout).toMatch(/claude\s.*253 MB\s+writer, tester\s/)
    expect(stderr).toContain('run on codex')
  })

  it('shows one, its licences and installs', async () => {
    api.routes['GET /v1/harnesses/claude'] = () => ok(claude)
    const { stdout } = await run(['harnesses', 'show', 'claude'])
    expect(stdout).toMatch(/licence\s+proprietary of @a\/claude-agent-sdk, not accepted/)
    expect(stdout).toMatch(/may be pinned\s+0\.49\.0, 0\.101\.0/)
    expect(stdout).toMatch(/0\.49\.0\s+linux-x64-glibc-node20\s+ready\s+253 MB/)
  })

  it('installs a version, wherever the words of the line stand', async () => {
    api.routes[`POST ${admin}/installs`] = () =>
      ok({ harness: 'claude', version: '0.49.0', installs: [{ ...ready, state: 'wanted' }] })
    const { code, stdout } = await run(['harnesses', 'install', '--version', '0.49.0', 'claude'])
    expect([code, stdout.split('\n')[0]]).toEqual([0, 'Asked for claude 0.49.0'])
    expect(bodyOf('POST')).toEqual({ version: '0.49.0' })
    api.calls.length = 0
    expect((await run(['harnesses', 'install', 'claude'])).code).toBe(0)
    expect(bodyOf('POST')).toEqual({})
  })

  it('removes a version, and names the sessions that stand in the way', async () => {
    api.routes[`DELETE ${admin}/installs/0.49.0`] = () => ({ status: 204 })
    const rm = ['harnesses', 'rm', 'claude']
    expect(await run([...rm, '--version', '0.49.0'])).toMatchObject({
      code: 0,
      stdout: 'Removed claude 0.49.0\n',
    })
    expect((await run(rm)).code).toBe(2)
    api.routes[`DELETE ${admin}/installs/0.49.0`] = () =>
      refusal(409, 'HARNESS_IN_USE', '1 live session(s) run it', { sessions: [sessionId] })
    const { code, stderr } = await run([...rm, '--version', '0.49.0'])
    expect(code).toBe(1)
    expect(stderr).toContain(`session: ${sessionId}`)
  })
})

describe('svc harnesses accept', () => {
  const accept = ['harnesses', 'accept', 'claude']

  it.each([
    [['--yes'], '--yes needs --sha256'],
    [['--sha256', sha256], '--sha256 goes with --yes'],
  ])('%j is misuse where there is no person', async (flags, words) => {
    const { code, stderr } = await run([...accept, ...flags])
    expect(code).toBe(2)
    expect(stderr).toContain(words)
    expect(api.calls).toEqual([])
  })

  it('shows the text where there is no person to ask, and the line that accepts it', async () => {
    api.routes[`GET ${admin}/licence`] = () => ok({ harness: 'claude', licences: [unread] })
    const { code, stderr } = await run(accept)
    expect(code).toBe(2)
    expect(stderr).toContain(`sha256 ${sha256}`)
    expect(stderr).toContain('no terminal to ask on')
    expect(stderr).toContain(`svc harnesses accept claude --yes --sha256 ${sha256}`)
  })

  it('takes the hash of the text that was read for an answer', async () => {
    api.routes[`PUT ${admin}/licence`] = () => ok({ harness: 'claude', licences: [accepted] })
    const { code, stdout } = await run([...accept, '--yes', '--sha256', sha256])
    expect([code, stdout]).toEqual([0, 'Accepted the licence of claude\n'])
    expect(bodyOf('PUT')).toEqual({ sha256 })
  })

  it('says to read it again when it changed', async () => {
    api.routes[`PUT ${admin}/licence`] = () =>
      refusal(409, 'HARNESS_LICENCE_CHANGED', 'This is not the hash of a present text', { sha256: null })
    const { code, stderr } = await run([...accept, '--yes', '--sha256', sha256])
    expect(code).toBe(1)
    expect(stderr).toContain('read it again')
  })

  it.skipIf(!hasTerminal)('shows the text, which cannot command the terminal, and asks', async () => {
    api.routes[`GET ${admin}/licence`] = () => ok({ harness: 'claude', licences: [unread] })
    api.routes[`PUT ${admin}/licence`] = () => ok({ harness: 'claude', licences: [accepted] })
    const typing = (answer: string) =>
      onTerminal(`${process.execPath} ${cli.launcher} ${accept.join(' ')}`, {
        cwd: cli.work,
        columns: 100,
        env: { ...env, PAGER: 'cat' },
        typed: [[/N\] $/, `${answer}\r`]],
      })
    expect(await typing('n')).toContain('nothing was accepted')
    expect(bodyOf('PUT')).toBeUndefined()
    const output = await typing('y')
    expect(output).toContain(`sha256 ${sha256}`)
    expect(output).toMatch(/All rights.+reserved\./)
    expect(output).not.toContain('\u001b]0;x')
    expect(bodyOf('PUT')).toEqual({ sha256 })
  })
})

describe('svc harnesses revoke', () => {
  it('takes the acceptance back, and says that sessions that run go on', async () => {
    api.routes[`DELETE ${admin}/licence`] = () => ({ status: 204 })
    const { code, stdout, stderr } = await run(['harnesses', 'revoke', 'claude'])
    expect([code, stdout]).toEqual([0, 'Revoked the licence of claude\n'])
    expect(stderr).toContain('svc harnesses accept claude')
  })
})

describe('the agent of a session', () => {
  it('is named with the session', async () => {
    api.routes[`POST /v1/projects/${projectId}/sessions`] = () => ({ status: 201, body: session() })
    expect((await run(['sessions', 'new', '--harness', 'claude'])).code).toBe(0)
    expect(bodyOf('POST')).toEqual({ harness: 'claude' })
  })

  it('is shown with its version, and with what it cannot do', async () => {
    api.routes[`GET ${one}`] = () => ok(session())
    api.routes[`GET ${one}/runtime`] = () => ok(runtime)
    const { stdout } = await run(['sessions', 'info', sessionId])
    expect(stdout).toMatch(/^runs on\s+claude 0\.49\.0$/m)
    expect(stdout).toMatch(/^it cannot\s+take a prompt back, ask questions, ask before its tools act$/m)
  })

  it('is not judged before it has described itself', async () => {
    const none = { ...capabilities, resume: false, images: false, commands: false, mcp: [] }
    api.routes[`GET ${one}`] = () => ok(session({ harness_version: null }))
    api.routes[`GET ${one}/runtime`] = () => ok({ ...runtime, protocol_version: null, capabilities: none })
    const { stdout } = await run(['sessions', 'info', sessionId])
    expect(stdout).toMatch(/^runs on\s+claude$/m)
    expect(stdout).not.toContain('it cannot')
  })

  it('has options with their values and choices', async () => {
    api.routes[`GET ${one}/runtime`] = () => ok(runtime)
    const { stdout, stderr } = await run(['sessions', 'options', sessionId])
    expect(stdout).toMatch(/^mode\s+Mode\s+default\s+default \| plan$/m)
    expect(stdout).toMatch(/^fast\s+Fast\s+false\s+true \| false$/m)
    expect(stderr).toContain('svc sessions set abcd1234')
    expect(JSON.parse((await run(['sessions', 'options', sessionId, '--json'])).stdout)).toEqual(runtime)
    api.routes[`GET ${one}/runtime`] = () => ok({ ...runtime, config_options: [] })
    expect((await run(['sessions', 'options', sessionId])).stderr).toBe('claude offers no options here.\n')
  })

  it('takes a value of an option, and says what there is instead of another', async () => {
    api.routes[`PATCH ${one}/runtime`] = () =>
      ok({ ...runtime, config_options: [{ ...mode, currentValue: 'plan' }] })
    const set = ['sessions', 'set', sessionId, 'mode']
    expect(await run([...set, 'plan'])).toMatchObject({ code: 0, stdout: 'mode is plan\n' })
    expect(bodyOf('PATCH')).toEqual({ config: { mode: 'plan' } })
    api.routes[`PATCH ${one}/runtime`] = () =>
      refusal(400, 'RUNTIME_OPTION_INVALID', 'The option mode has no value "x"', { options: [mode] })
    const { code, stderr } = await run([...set, 'x'])
    expect(code).toBe(1)
    expect(stderr).toContain('svc sessions options <id>')
  })
})
