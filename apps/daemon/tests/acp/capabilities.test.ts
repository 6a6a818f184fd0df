import { expect, test } from 'vitest'
import type { AgentSettingsInput } from '../support/acp-agent/settings.ts'
import { acpSandbox, keepRecord, permitAll, problemsOf, saidBy } from '../support/acp-sandbox.ts'
import { bash } from '../support/runtime/runtime-tests.ts'

/** Each ability that the protocol leaves to an agent, without it. */
const without: Readonly<Record<string, AgentSettingsInput>> = {
  'session/resume': { resume: false },
  'session/load': { load: false },
  'both ways back to a session': { resume: false, load: false },
  'ids of messages': { message_ids: false },
  permissions: { permissions: 'never' },
  modes: { modes: false },
  'a choice of models': { model_option: false },
  'a choice of thought': { thought_level: false },
  commands: { commands: false },
  plans: { plan: false },
  'the file system of its client': { client_fs: false },
  'the terminals of its client': { client_terminal: false },
  questions: { elicitation: false },
  images: { images: false },
  'its use of the context': { usage: false },
  'MCP over HTTP': { mcp_http: false },
  'a sign-in at the gateway': { auth_gateway: false },
}

test.each(Object.entries(without))(
  'an agent without %s works, and goes on in the next daemon with all that was said',
  async (_, settings) => {
    const sandbox = await acpSandbox('127.41.1.3', settings)
    const { model } = sandbox
    model.on('and now?', [{ text: 'Here I am.' }])
    model.on('do it', [{ text: 'I begin. ', ...bash('touch asked-one.txt') }, { text: 'It is done.' }])
    await sandbox.ready()
    permitAll(sandbox)
    expect(await sandbox.turnEnd(await sandbox.prompt('do it'))).toMatchObject({ status: 'completed' })
    await sandbox.signal('SIGKILL')
    // One that finds nothing of a session again is given the record of the platform.
    keepRecord(sandbox)
    sandbox.start()
    await sandbox.ready()
    expect(await sandbox.turnEnd(await sandbox.prompt('and now?'))).toMatchObject({ status: 'completed' })

    const asked = JSON.stringify(model.requests.at(-1)?.messages)
    expect(asked).toContain('do it')
    expect(asked).toContain('It is done.')
    const said = saidBy(sandbox)
    for (const words of ['I begin.', 'It is done.', 'Here I am.'])
      expect(
        said.filter((text) => text.includes(words)),
        words,
      ).toHaveLength(1)
    const isAsked = settings.permissions !== 'never'
    expect(sandbox.platform.asks).toHaveLength(isAsked ? 1 : 0)
    expect(problemsOf(sandbox)).toEqual([])
  },
)
