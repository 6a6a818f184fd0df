import { expect, test } from 'vitest'
import { runtimeSettingsOf } from './runtime-settings.ts'

test.each([
  ['runtime: pi\n', 'pi'],
  ['runtime: agentrt\n', 'agentrt'],
  ['runtime: other\n', 'agentrt'],
  ['', 'agentrt'],
  ['runtime: [\n', 'agentrt'],
])('%j runs on %s', (manifest, runtime) => {
  expect(runtimeSettingsOf(manifest).runtime).toBe(runtime)
})
