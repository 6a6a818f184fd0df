import { vendorVariables } from '../vendors.ts'
import type { KnownHarness } from './known-harness.ts'

/** The program behind `runtime: agentrt`, by its other door. */
export const opencode: KnownHarness = {
  name: 'opencode',
  title: 'OpenCode',
  program: { kind: 'sandbox', command: 'agentrt' },
  args: ['acp'],
  licence: 'MIT',
  proprietary: [],
  dialect: 'chat',
  gateway: 'opencode',
  variables: vendorVariables.chat,
  mcp: ['http', 'sse'],
  bytes: 0,
  asks: 'by_mode',
  reads_agents: true,
  asking_mode: null,
  free_mode: null,
  instructions_file: null,
  skills_folder: null,
  model_by: 'option',
  model_env: [],
  env: {},
  home_files: {},
  client_files: true,
  vendor_env: [],
  personal_secret: null,
  resume: true,
  dated_records: null,
  session_meta: null,
}
