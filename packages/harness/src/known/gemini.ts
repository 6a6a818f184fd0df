import { vendorVariables } from '../vendors.ts'
import type { KnownHarness } from './known-harness.ts'

export const gemini: KnownHarness = {
  name: 'gemini',
  title: 'Gemini CLI',
  program: {
    kind: 'npm',
    package: '@google/gemini-cli',
    pins: { 20: '0.61.0', 22: '0.61.0', 24: '0.61.0' },
    script: 'node_modules/@google/gemini-cli/bundle/gemini.js',
  },
  args: ['--acp'],
  licence: 'Apache-2.0',
  proprietary: [],
  dialect: 'generate_content',
  gateway: 'authenticate',
  variables: vendorVariables.generate_content,
  mcp: ['http', 'sse'],
  bytes: 105_000_000,
  asks: 'by_mode',
  reads_agents: false,
  asking_mode: 'default',
  free_mode: null,
  instructions_file: '.gemini/GEMINI.md',
  skills_folder: '.gemini/skills',
  model_by: 'env',
  model_env: ['GEMINI_MODEL'],
  env: {
    NO_BROWSER: '1',
    GEMINI_TELEMETRY_ENABLED: 'false',
    // Its shell takes away git's credential helpers by `GIT_CONFIG_COUNT`; git reads this after it.
    GIT_CONFIG_PARAMETERS: '{git_settings}',
  },
  home_files: {
    // Settings of the whole machine are passed over below a folder that others may write.
    '.gemini/settings.json': JSON.stringify({
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      telemetry: { enabled: false },
      security: { auth: { selectedType: 'gateway' } },
    }),
  },
  // It takes the answer that a file is not there for a failure, so that it can make no new one.
  client_files: false,
  vendor_env: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  personal_secret: null,
  resume: true,
  dated_records: '.gemini/tmp',
  session_meta: null,
}
