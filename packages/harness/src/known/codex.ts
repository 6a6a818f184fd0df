import { vendorVariables } from '../vendors.ts'
import type { KnownHarness } from './known-harness.ts'

export const codex: KnownHarness = {
  name: 'codex',
  title: 'Codex',
  program: {
    kind: 'npm',
    package: '@agentclientprotocol/codex-acp',
    pins: { 20: '2.6.0', 22: '2.6.0', 24: '2.6.0' },
    script: 'node_modules/@agentclientprotocol/codex-acp/dist/index.js',
  },
  args: [],
  licence: 'Apache-2.0',
  proprietary: [],
  dialect: 'responses',
  gateway: 'authenticate',
  variables: vendorVariables.responses,
  mcp: ['http'],
  bytes: 474_000_000,
  asks: 'by_mode',
  reads_agents: false,
  asking_mode: 'read-only',
  free_mode: 'agent-full-access',
  instructions_file: '.codex/AGENTS.md',
  skills_folder: '.codex/skills',
  model_by: 'env',
  model_env: [],
  env: {
    NO_BROWSER: '1',
    // It lists the models of its vendor alone; the session's is set here.
    CODEX_CONFIG: JSON.stringify({
      model: '{model}',
      check_for_update_on_startup: false,
      analytics: { enabled: false },
      feedback: { enabled: false },
      web_search: 'disabled',
      features: {
        plugins: false,
        apps: false,
        remote_plugin: false,
        multi_agent: false,
        image_generation: false,
      },
      tools: { web_search: false },
    }),
  },
  home_files: {
    // Its server reads these when it starts, before a session brings settings.
    '.codex/config.toml': [
      'check_for_update_on_startup = false',
      '[analytics]',
      'enabled = false',
      '[features]',
      'plugins = false',
      'apps = false',
      'remote_plugin = false',
      '',
    ].join('\n'),
  },
  client_files: true,
  vendor_env: ['OPENAI_API_KEY', 'CODEX_API_KEY', 'CODEX_ACCESS_TOKEN'],
  personal_secret: 'CODEX_ACCESS_TOKEN',
  resume: true,
  dated_records: null,
  session_meta: null,
}
