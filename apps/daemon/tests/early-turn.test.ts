import { afterAll, beforeAll, expect, test } from 'vitest'
import { pi } from './support/dialects.ts'
import { holdCheckout, slowFile } from './support/hold-checkout.ts'
import { makeSandbox, type Sandbox } from './support/sandbox.ts'
import { waitFor } from './support/wait-for.ts'

let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await makeSandbox({ ...(await pi.make()), address: '127.41.0.32' })
  sandbox.origin.commit('main', {
    '.gitattributes': slowFile,
    'svc.yaml': 'svc_version: 2\nruntime: pi\n',
    'AGENTS.md': 'Speak of the weather.\n',
    slow: 'came late\n',
  })
  sandbox.origin.commit(sandbox.session_id, {}, 'main')
})
afterAll(() => sandbox?.close())

test('the model is asked while files are still on their way, and the agent’s tools wait for them', async () => {
  const { model, platform, session_id, home } = sandbox
  const go = holdCheckout(home)
  model.on('read it', [
    { tool: { name: 'bash', args: { command: 'cat slow', description: 'reads' } } },
    { text: 'read' },
  ])
  sandbox.start({ SVC_RUNTIME: 'pi', SVC_SESSION_IS_NEW: '1', SVC_INITIAL_PROMPT: 'read it' })
  const asked = await waitFor('a question to the model', () => model.requests[0])
  expect(JSON.stringify(asked.messages)).toContain('Speak of the weather.')
  await waitFor('a tool that waits', () => platform.events('tool').length > 0)
  expect(await sandbox.health()).toMatchObject({ status: 'booting', repo: { state: 'cloning' } })
  expect(platform.events('tool').map(({ payload }) => payload['status'])).not.toContain('completed')
  go()
  expect(await sandbox.turnEnd(session_id)).toMatchObject({ status: 'completed' })
  expect(JSON.stringify(platform.events('tool').at(-1)?.payload)).toContain('came late')
  expect(await sandbox.ready()).toMatchObject({ repo: { state: 'ready' } })
  expect(platform.events('checkpoint')).toEqual([])
})
