import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultConfigDir, type ManifestPath, readManifest } from '@svc/manifest'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { settingsIn } from './manifest-settings.ts'

let workspace: string
beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'svc-manifest-settings-'))
})
afterEach(() => rmSync(workspace, { recursive: true }))

const head = 'svc_version: 2\ndefault_agent: a\nagents: { a: {} }\n'
const defaults = { runtime: 'agentrt', config_dir: defaultConfigDir }

const cases: readonly (readonly [string, ManifestPath, string, object])[] = [
  ['nothing', 'svc.yaml', '', defaults],
  ['a version and nothing else', 'svc.yaml', head, defaults],
  ['a runtime', 'svc.yaml', `${head}runtime: pi\n`, { ...defaults, runtime: 'pi' }],
  [
    'a folder',
    'svc.yaml',
    `${head}agentrt:\n  config_dir: tools/x\n`,
    { ...defaults, config_dir: 'tools/x' },
  ],
  [
    'a slash at its end',
    'svc.yaml',
    `${head}agentrt: { config_dir: x/ }\n`,
    { ...defaults, config_dir: 'x' },
  ],
  [
    'a dot in it',
    'svc.yaml',
    `${head}agentrt: { config_dir: tools/./x }\n`,
    { ...defaults, config_dir: 'tools/x' },
  ],
  ['a dot before it', 'svc.yaml', `${head}agentrt: { config_dir: ./x }\n`, { ...defaults, config_dir: 'x' }],
  ['the root', 'svc.yaml', `${head}agentrt: { config_dir: . }\n`, { ...defaults, config_dir: '.' }],
  ['a folder outside', 'svc.yaml', `${head}agentrt: { config_dir: a/../../b }\n`, defaults],
  ['a folder from the top', 'svc.yaml', `${head}agentrt: { config_dir: /etc }\n`, defaults],
  ['no text', 'svc.yaml', `${head}agentrt: { config_dir: 7 }\n`, defaults],
  ['no mapping', 'svc.yaml', `${head}agentrt: tools\n`, defaults],
  ['a doubled key', 'svc.yaml', `${head}runtime: pi\nruntime: agentrt\n`, { ...defaults, runtime: 'pi' }],
  [
    'a doubled folder',
    'svc.yaml',
    `${head}agentrt:
  config_dir: one
  config_dir: two
`,
    defaults,
  ],
  ['an unknown runtime', 'svc.yaml', `${head}runtime: other\n`, defaults],
  ['an error elsewhere', 'svc.yaml', `${head}triggers: 7\nruntime: pi\n`, { ...defaults, runtime: 'pi' }],
  ['another version', 'svc.yaml', 'svc_version: 1\nruntime: pi\n', defaults],
  ['no version', 'svc.yaml', 'runtime: pi\nagentrt: { config_dir: x }\n', defaults],
  ['no YAML', 'svc.yaml', 'agentrt: [\n', defaults],
  ['too much', 'svc.yaml', `${head}runtime: pi\n#${'x'.repeat(1024 * 1024)}\n`, defaults],
  [
    'the old names',
    'svc.toml',
    'runtime = "pi"\n[opencode]\nconfig_dir = "tools/x"\n',
    { runtime: 'pi', config_dir: 'tools/x' },
  ],
  ['the new names', 'svc.toml', '[agentrt]\nconfig_dir = "y"\n', { ...defaults, config_dir: 'y' }],
  ['version 2', 'svc.toml', 'svc_version = 2\nruntime = "pi"\n', defaults],
  ['no TOML', 'svc.toml', 'runtime = \n', defaults],
]

test.each(cases)(
  '%s in %s means the same to the platform and in the sandbox',
  async (_what, path, text, expected) => {
    const { manifest } = readManifest({ path, text })
    const platform = manifest
      ? { runtime: manifest.runtime, config_dir: manifest.agentrt.config_dir }
      : defaults
    expect(platform).toEqual(expected)
    writeFileSync(join(workspace, path), text)
    expect(await settingsIn(workspace)).toEqual(expected)
  },
)

test('svc.yaml goes before svc.toml, and a checkout without either has the defaults', async () => {
  expect(await settingsIn(workspace)).toEqual(defaults)
  writeFileSync(join(workspace, 'svc.toml'), 'runtime = "pi"\n')
  writeFileSync(join(workspace, 'svc.yaml'), head)
  expect(await settingsIn(workspace)).toEqual(defaults)
})
