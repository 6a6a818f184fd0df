import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { holdCheckout, slowFile } from '../support/hold-checkout.ts'
import { folder, git, openRepositories, origin, repository, workspace } from './world.ts'

openRepositories()

test.each([
  ['are awaited', true],
  ['may be long in coming', false],
])(
  'settings that %s are there before the rest, of which nothing is missing afterwards',
  async (_, is_awaited) => {
    const go = holdCheckout(join(folder, 'home'))
    origin.commit('main', {
      '.gitattributes': slowFile,
      'svc.yaml': 'svc_version: 2\n',
      '.svc/agentrt/agents/a.md': 'a',
      'other/file': 'o',
      slow: 's',
    })
    origin.commit('session', {}, 'main')
    const opened = repository({ is_awaited })
    const open = opened.open()
    await opened.settings
    expect(readFileSync(join(workspace, '.svc/agentrt/agents/a.md'), 'utf8')).toBe('a')
    expect((await opened.health()).state).toBe('cloning')
    expect(existsSync(join(workspace, 'slow'))).toBe(false)
    go()
    expect(await open).toBe(true)
    expect(await git('status', '--porcelain', '--branch')).toBe('## session...origin/session')
    expect(readFileSync(join(workspace, 'slow'), 'utf8')).toBe('s')
  },
)

const linkedSettings = [
  'commit refs/heads/main',
  'committer t <t@t.invalid> 1700000000 +0000',
  'data 1\nm',
  'M 100644 inline other\ndata 1\no',
  'M 120000 inline AGENTS.md\ndata 5\nother\n',
].join('\n')

test.each([
  ['behind a link', () => origin.import(linkedSettings)],
  [
    'in a folder of their own',
    () => origin.commit('main', { 'svc.yaml': 'agentrt: { config_dir: tools/agent }\n' }),
  ],
])('settings %s are there with the rest', async (_, fill) => {
  fill()
  const opened = repository()
  const state = opened.settings.then(async () => (await opened.health()).state)
  await opened.open()
  expect(await state).toBe('ready')
})
