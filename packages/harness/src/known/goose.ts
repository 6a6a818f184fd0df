import type { KnownHarness } from './known-harness.ts'

/** No package of npm: the image of the session's template brings it. */
export const goose: KnownHarness = {
  name: 'goose',
  title: 'goose',
  program: { kind: 'image', command: 'goose' },
  args: ['acp'],
  licence: 'Apache-2.0',
  proprietary: [],
  dialect: 'chat',
  gateway: 'variables',
  variables: { base: ['OPENAI_HOST'], key: ['OPENAI_API_KEY'] },
  mcp: ['http'],
  bytes: 0,
  asks: 'by_mode',
  reads_agents: false,
  asking_mode: 'approve',
  free_mode: null,
  instructions_file: null,
  skills_folder: null,
  model_by: 'env',
  model_env: ['GOOSE_MODEL'],
  env: {
    GOOSE_PROVIDER: 'openai',
    // After the address of the gateway, which ends in its own path.
    OPENAI_BASE_PATH: 'chat/completions',
    GOOSE_DISABLE_KEYRING: '1',
    GOOSE_TELEMETRY_ENABLED: 'false',
  },
  home_files: {},
  client_files: true,
  vendor_env: ['OPENAI_API_KEY'],
  personal_secret: null,
  resume: true,
  dated_records: null,
  session_meta: null,
}
