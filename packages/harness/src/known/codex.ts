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
  bytes: 436_000_000,
  asks: 'by_mode',
  reads_agents: false,
  asking_mode: 'read-only',
  instructions_file: '.codex/AGENTS.md',
  skills_folder: '.codex/skills',
  model_by: 'option',
  model_env: [],
  env: { NO_BROWSER: '1' },
  vendor_env: ['OPENAI_API_KEY', 'CODEX_API_KEY', 'CODEX_ACCESS_TOKEN'],
  personal_secret: 'CODEX_ACCESS_TOKEN',
  resume: true,
}
