import { vendorVariables } from '../vendors.ts'
import type { KnownHarness } from './known-harness.ts'

export const piAcp: KnownHarness = {
  name: 'pi-acp',
  title: 'pi, by ACP',
  program: {
    kind: 'npm',
    package: 'pi-acp',
    pins: { 20: '0.0.34', 22: '0.0.34', 24: '0.0.34' },
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
  instructions_file: '.svc/pi/AGENTS.md',
  skills_folder: '.svc/pi/skills',
  model_by: 'option',
  model_env: [],
  env: { PI_OFFLINE: '1', PI_TELEMETRY: '0' },
  vendor_env: [],
  personal_secret: null,
  resume: false,
}
