import type { Command } from 'commander'
import type { Cli } from '../cli.ts'

/** Declares the flags and the action of a command, or the subcommands of a group. */
export type Configure = (command: Command, cli: Cli) => void

export interface Group {
  readonly name: string
  readonly aliases?: readonly string[]
  readonly summary: string
  /** Loaded only when the command line names it: a start pays for one group. */
  readonly load: () => Promise<Configure>
}

export const groups: readonly Group[] = [
  { name: 'login', summary: 'log in to a host', load: async () => (await import('./auth/login.ts')).login },
  {
    name: 'logout',
    summary: 'forget the token of a host',
    load: async () => (await import('./auth/logout.ts')).logout,
  },
  {
    name: 'whoami',
    summary: 'who the token acts as',
    load: async () => (await import('./auth/whoami.ts')).whoami,
  },
  {
    name: 'hosts',
    summary: 'the platforms you work with',
    load: async () => (await import('./hosts/index.ts')).hosts,
  },
  {
    name: 'projects',
    summary: 'projects and the link of a folder',
    load: async () => (await import('./projects/index.ts')).projects,
  },
  {
    name: 'secrets',
    summary: 'secrets of a project',
    load: async () => (await import('./secrets/index.ts')).secrets,
  },
  {
    name: 'env',
    summary: 'secrets and dotenv files',
    load: async () => (await import('./env/index.ts')).env,
  },
  {
    name: 'tokens',
    summary: 'your tokens, and those of a project',
    load: async () => (await import('./tokens/index.ts')).tokens,
  },
  {
    name: 'gateway',
    summary: 'the model gateway: models, providers, prices, budgets, spend, the log of calls, keys',
    load: async () => (await import('./gateway/index.ts')).gateway,
  },
  {
    name: 'members',
    summary: 'people of an account, and roles on projects',
    load: async () => (await import('./members/index.ts')).members,
  },
  {
    name: 'service-accounts',
    summary: 'machines of an account, and their keys',
    load: async () => (await import('./service-accounts/index.ts')).serviceAccounts,
  },
  {
    name: 'audit',
    summary: 'who did what in an account',
    load: async () => (await import('./audit/index.ts')).audit,
  },
  {
    name: 'admin',
    summary: 'the operator’s surface, for platform admins',
    load: async () => (await import('./admin/index.ts')).admin,
  },
  {
    name: 'doctor',
    summary: 'what is wrong here and, for platform admins, with the platform',
    load: async () => (await import('./doctor/doctor.ts')).doctor,
  },
  {
    name: 'inbox',
    summary: 'what waits for you, over all projects',
    load: async () => (await import('./inbox/inbox.ts')).inbox,
  },
  {
    name: 'notifications',
    summary: 'what you were told, and on which ways',
    load: async () => (await import('./notifications/index.ts')).notifications,
  },
  {
    name: 'sessions',
    summary: 'agent sessions',
    load: async () => (await import('./sessions/index.ts')).sessions,
  },
  {
    name: 'triggers',
    summary: 'what starts sessions by itself',
    load: async () => (await import('./triggers/index.ts')).triggers,
  },
  {
    name: 'apps',
    summary: 'what svc.yaml declares as apps: releases, addresses, who may look',
    load: async () => (await import('./apps/index.ts')).apps,
  },
  {
    name: 'harnesses',
    summary: 'the programs that may be agents: Claude Code, Codex, Gemini CLI and their like',
    load: async () => (await import('./harnesses/index.ts')).harnesses,
  },
  { name: 'cr', summary: 'change requests', load: async () => (await import('./cr/index.ts')).cr },
  {
    name: 'connectors',
    summary: 'other services that agents use, and calls of them',
    load: async () => (await import('./connectors/index.ts')).connectors,
  },
  {
    name: 'approvals',
    summary: 'connector calls that wait for a person',
    load: async () => (await import('./approvals/index.ts')).approvals,
  },
  {
    name: 'review',
    summary: 'work and decisions that people look at',
    load: async () => (await import('./review/index.ts')).review,
  },
  {
    name: 'events',
    summary: 'what happens, and the addresses that are told of it',
    load: async () => (await import('./events/index.ts')).events,
  },
  {
    name: 'init',
    summary: 'make a project of this folder',
    load: async () => (await import('./init/init.ts')).init,
  },
  {
    name: 'ship',
    aliases: ['deploy'],
    summary: 'push the commits of this folder to its project',
    load: async () => (await import('./ship/ship.ts')).ship,
  },
  {
    name: 'git-credential',
    summary: 'what git asks for the token of a login; `ship`, `link` and `clone` set it up',
    load: async () => (await import('./git-credential/git-credential.ts')).gitCredential,
  },
  {
    name: 'validate',
    summary: 'judge svc.yaml',
    load: async () => (await import('./manifest/validate.ts')).validate,
  },
  {
    name: 'schema',
    summary: 'the JSON Schema of svc.yaml',
    load: async () => (await import('./manifest/schema.ts')).schema,
  },
  {
    name: 'manifest',
    summary: 'svc.toml to svc.yaml',
    load: async () => (await import('./manifest/index.ts')).manifest,
  },
  {
    name: 'mcp',
    summary: 'serve the API to an MCP client over stdin and stdout',
    load: async () => (await import('./mcp/mcp.ts')).mcp,
  },
  {
    name: 'channels',
    summary: 'chats and mail from which people use agents: Slack, Matrix, mailboxes',
    load: async () => (await import('./channels/index.ts')).channels,
  },
  {
    name: 'self-host',
    summary: 'run the platform on this machine',
    load: async () => (await import('./self-host/index.ts')).selfHost,
  },
  {
    name: 'update',
    summary: 'bring this checkout of svc up to date',
    load: async () => (await import('./update/update.ts')).update,
  },
  {
    name: 'uninstall',
    summary: 'remove what svc keeps of you on this machine',
    load: async () => (await import('./uninstall/uninstall.ts')).uninstall,
  },
  {
    name: 'version',
    summary: 'the release of this command',
    load: async () => (await import('./version/version.ts')).versionCommand,
  },
]
