import { expect, test } from 'vitest'
import { configDirOf } from './config-dir.ts'

test.each([
  ['svc_version: 2\nagentrt:\n  config_dir: tools/agent\n', 'tools/agent'],
  ['agentrt:\n  config_dir: tools/agent/\n', 'tools/agent'],
  ['agentrt:\n  config_dir: ./x\n', 'x'],
  ['svc_version: 2\n', '.svc/agentrt'],
  ['', '.svc/agentrt'],
  ['agentrt:\n  config_dir: /etc\n', '.svc/agentrt'],
  ['agentrt:\n  config_dir: a/../../b\n', '.svc/agentrt'],
  ['agentrt:\n  config_dir: 7\n', '.svc/agentrt'],
  ['agentrt: [\n', '.svc/agentrt'],
])('%j gives %s', (manifest, dir) => {
  expect(configDirOf(manifest)).toBe(dir)
})
