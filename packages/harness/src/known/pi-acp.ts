import { vendorVariables } from '../vendors.ts'
import type { KnownHarness } from './known-harness.ts'

/** Its adapter 0.0.34 opens no session with the pi that Node 20 runs: it waits for an answer that this pi does not give. */
export const piAcp: KnownHarness = {
  name: 'pi-acp',
  title: 'pi, by ACP',
  program: {
    kind: 'npm',
    package: 'pi-acp',
    pins: { 20: '0.0.24', 22: '0.0.24', 24: '0.0.24' },
    script: 'node_modules/pi-acp/dist/index.js',
  },
  args: [],
  licence: 'MIT',
  proprietary: [],
  dialect: 'chat',
  gateway: 'pi',
  variables: vendorVariables.chat,
  mcp: [],
  bytes: 197_000_000,
  asks: 'never',
  reads_agents: false,
  asking_mode: null,
  free_mode: null,
  instructions_file: '.svc/pi/AGENTS.md',
  skills_folder: '.svc/pi/skills',
  model_by: 'option',
  model_env: [],
  env: {
    // The adapter starts it by this name, which is in no PATH.
    PI_ACP_PI_COMMAND: '{folder}/node_modules/.bin/pi',
    PI_OFFLINE: '1',
    PI_TELEMETRY: '0',
  },
  home_files: {},
  client_files: true,
  vendor_env: [],
  personal_secret: null,
  resume: false,
  dated_records: null,
  session_meta: null,
}
