import { expect, test } from 'vitest'
import type { AgentSettingsInput } from '../support/acp-agent/settings.ts'
import { acpSandbox, keepRecord, permitAll, problemsOf, saidBy } from '../support/acp-sandbox.ts'
import { bash } from '../support/runtime/runtime-tests.ts'

/**
 * Abilities that the protocol leaves to an agent, each without it once: the runtime suite holds an agent with all of them,
 * and one with none.
 */
const without: Readonly<Record<string, AgentSettingsInput>> = {
  'session/resume, modes and images': { resume: false, modes: false, images: false },
  'session/load, a choice of models and MCP over HTTP': { load: false, model_option: false, mcp_http: false },
  'a way back to a session, and ids of messages': { resume: false, load: false, message_ids: false },
  'permissions, plans and a choice of thought': { permissions: 'never', plan: false, thought_level: false },
  'files and terminals of its client, and commands': {
    client_fs: false,
    client_terminal: false,
    commands: false,
  },
  'questions, its use of the context and a sign-in at the gateway': {
    elicitation: false,
    usage: false,
    auth_gateway: false,
  },
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
