import { proxyVariables } from '@svc/facts'
import { vendorVariables } from '../vendors.ts'
import type { KnownHarness } from './known-harness.ts'

/** Variables that say where its requests go. With others in their place, the session's key would go there. */
const leading = [
  'ANTHROPIC_BASE_URL',
  'ANTHROPIC_AWS_BASE_URL',
  'ANTHROPIC_BEDROCK_BASE_URL',
  'ANTHROPIC_BEDROCK_MANTLE_BASE_URL',
  'ANTHROPIC_FOUNDRY_BASE_URL',
  'ANTHROPIC_VERTEX_BASE_URL',
  'ANTHROPIC_UNIX_SOCKET',
  'CLAUDE_CODE_API_BASE_URL',
  'CLAUDE_CODE_USE_ANTHROPIC_AWS',
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_FOUNDRY',
  'CLAUDE_CODE_USE_MANTLE',
  'CLAUDE_CODE_USE_VERTEX',
  ...proxyVariables,
  'ALL_PROXY',
  'all_proxy',
  'NO_PROXY',
  'no_proxy',
]

/** Its later adapters need Node 22. */
export const claude: KnownHarness = {
  name: 'claude',
  title: 'Claude Code',
  program: {
    kind: 'npm',
    package: '@agentclientprotocol/claude-agent-acp',
    pins: { 20: '0.49.0', 22: '0.101.0', 24: '0.101.0' },
    script: 'node_modules/@agentclientprotocol/claude-agent-acp/dist/index.js',
  },
  args: [],
  licence: 'Apache-2.0',
  proprietary: ['@anthropic-ai/claude-agent-sdk'],
  dialect: 'messages',
  // Its adapter sends an empty token beside the headers of `authenticate`, and the empty one wins.
  gateway: 'variables',
  variables: vendorVariables.messages,
  mcp: ['http', 'sse'],
  bytes: 278_000_000,
  asks: 'by_mode',
  reads_agents: false,
  asking_mode: 'default',
  free_mode: null,
  instructions_file: '.claude/CLAUDE.md',
  skills_folder: '.claude/skills',
  model_by: 'env',
  model_env: [
    'ANTHROPIC_MODEL',
    'ANTHROPIC_DEFAULT_SONNET_MODEL',
    'ANTHROPIC_DEFAULT_OPUS_MODEL',
    'ANTHROPIC_DEFAULT_HAIKU_MODEL',
    'ANTHROPIC_SMALL_FAST_MODEL',
  ],
  env: {
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    NO_BROWSER: '1',
    // It runs as root where the sandbox is a container of its own.
    IS_SANDBOX: '1',
  },
  home_files: {},
  client_files: true,
  vendor_env: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'],
  personal_secret: 'CLAUDE_CODE_OAUTH_TOKEN',
  resume: true,
  dated_records: null,
  // Settings of the repository rank above the environment, and these above both.
  session_meta: {
    claudeCode: {
      options: {
        settings: { env: ofItsEnvironment(leading), model: '{env:ANTHROPIC_MODEL}', apiKeyHelper: '' },
      },
    },
  },
}

function ofItsEnvironment(names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, `{env:${name}}`]))
}
