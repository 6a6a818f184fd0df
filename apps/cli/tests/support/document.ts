/** The document's table of commands, as it is written there: words in brackets may be left out. */
export const usages = [
  'login [--token <pat>] [--host <name>] [--api <url>]',
  'logout [--host <name>]',
  'whoami [--host <name>]',
  'hosts ls',
  'hosts use [<name>]',
  'hosts add <name> --url <url> [--login]',
  'hosts rm <name>',
  'hosts info [<name>]',
  'hosts current',
  'self-host start [--compose]',
  'self-host configure',
  'self-host env ls',
  'self-host env set <KEY=VALUE>...',
  'self-host logs [<service>] [-f]',
  'self-host stop',
  'projects ls',
  'projects info [<id-or-slug>]',
  'projects link [<id>]',
  'projects unlink',
  'projects open [<id>]',
  'secrets ls',
  'secrets set <NAME=VALUE>...',
  'secrets unset <NAME>...',
  'env pull [--out <file>] [--force]',
  'env push --from <path>',
  'sessions ls',
  'sessions info <id>',
  'sessions new [--prompt <text>] [--harness <name>]',
  'sessions options <id>',
  'sessions set <id> <option> <value>',
  'sessions restart <id>',
  'sessions rm <id>',
  'sessions open <id>',
  'sessions chat [<id>] [--prompt <text>] [--new]',
  'sessions talk [<id>] [--prompt <text>] [--new]',
  'sessions preview <id> [<port>]',
  'triggers ls',
  'triggers info <slug>',
  'triggers fire <slug>',
  'triggers enable <slug>',
  'triggers disable <slug>',
  'connectors ls',
  'connectors show <slug>',
  'connectors connections <slug>',
  'connectors sync <slug>',
  'approvals ls [--status <status>]',
  'approvals show <call_id>',
  'approvals deny <call_id> [--message <text>]',
  'apps ls',
  'apps info <app>',
  'apps show <app>',
  'apps release <app> [--ref <ref>] [--cr <cr>] [--no-wait]',
  'apps rollback <app> [--to <number>] [--no-wait]',
  'apps logs <app> [-f] [--release <number>]',
  'apps open <app> [--cr <cr>] [--print]',
  'apps stop <app>',
  'apps start <app>',
  'apps env <app>',
  'apps access <app> [<mode>] [--password <->] [--viewer <email>]',
  'harnesses ls [--project <id>]',
  'harnesses show <name>',
  'harnesses info <name>',
  'harnesses install <name> [--version <version>]',
  'harnesses rm <name> --version <version>',
  'harnesses accept <name> [--yes] [--sha256 <hash>]',
  'cr ls [--status <status>] [--project <id>]',
  'cr show <cr>',
  'cr info <cr>',
  'cr diff <cr> [--no-color]',
  'cr open --title <text> [--description <text>] [--head <ref>] [--base <ref>] [--session <id>] [--project <id>]',
  'cr new --title <text> [--body <text>] [--from <ref>] [--into <ref>]',
  'cr create --title <text>',
  'cr merge <cr> [--message <text>]',
  'cr close <cr>',
  'cr reopen <cr>',
  'cr request-changes <cr> [--feedback <text>]',
  'init',
  'ship',
  'deploy',
  'update',
  'uninstall [--keep-home] [--keep-auth]',
  'version',
  // A key without an end is the account's rule to refuse, which it does by `expiry_required`.
  'tokens new <name> [--expires <duration>]',
  'gateway keys new [<name>]',
] as const

/** Named by the document, and belonging to a capability that this release has not: a clear error says so. */
export const notYet = {
  channels: 'there are no chat or mail channels yet',
} as const

/** Capabilities of the document for which its table of commands names none, and which this release has not either. */
export const unnamed = ['billing', 'models'] as const

/** The default of a flag or an argument of a command. */
export const defaults = [
  ['cr ls', '--status', 'open'],
  ['env pull', '--out', '.env'],
  ['sessions preview', 'port', '3000'],
] as const

export const choices = [['cr ls', '--status', ['open', 'merged', 'closed', 'all']]] as const

export const builtInHosts = ['cloud', 'selfhost', 'internal-dev', 'local-dev'] as const

/** The variables that `svc help environment` has to explain. */
export const variables = [
  'SVC_CLI_TOKEN',
  'SVC_EXECUTOR_TOKEN',
  'SVC_API_URL',
  'SVC_PROJECT_ID',
  'SVC_CONFIG_FILE',
  'SVC_DASHBOARD_URL',
  'NO_COLOR',
  'PAGER',
] as const

/** Words that mean "show me": all of them take --json. */
export const readers = ['ls', 'info', 'show', 'current', 'whoami', 'history', 'asks', 'prompts', 'keys']
