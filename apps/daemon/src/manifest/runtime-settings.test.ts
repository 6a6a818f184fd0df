import { expect, test } from 'vitest'
import { runtimeSettingsOf } from './runtime-settings.ts'

test.each([
  ['runtime: pi\n', 'pi'],
  ['runtime: agentrt\n', 'agentrt'],
  ['runtime: other\n', 'agentrt'],
  ['', 'agentrt'],
  ['runtime: [\n', 'agentrt'],
])('%j runs on %s', (manifest, runtime) => {
  expect(runtimeSettingsOf(manifest, undefined).runtime).toBe(runtime)
})

test.each([
  ['[a, b]', ['a', 'b']],
  ['none', []],
  ['all', null],
  ['', []],
  ['7', []],
])('skills: %s', (skills, allowed) => {
  const manifest = `runtime: pi\nagents:\n  coder:\n    skills: ${skills}\n`.replace(
    '    skills: \n',
    '    enabled: true\n',
  )
  expect(runtimeSettingsOf(manifest, 'coder')).toMatchObject({ runtime: 'pi', skills: allowed })
  expect(runtimeSettingsOf(manifest, 'other').skills).toBeNull()
})
