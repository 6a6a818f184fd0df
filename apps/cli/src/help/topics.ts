import { agentRules } from '@svc/contract/agent-rules'
import type { Env } from '../io.ts'

/** The topics that `svc help <topic>` explains beside the commands. */
export const topics: Readonly<Record<string, (env: Env) => string>> = {
  agent: (env) => {
    const own = env['SVC_BRANCH_NAME'] || "the session's branch"
    const default_branch = env['SVC_DEFAULT_BRANCH'] || '<default-branch>'
    const session = env['SVC_SESSION_ID']?.slice(0, 8) || '<id>'
    return `In the sandbox of a session

The repository is in /workspace, with ${own} checked out.

${numbered(agentRules({ branch: own, default_branch, session }))}

  svc cr ls               the change requests of the project
  svc cr diff <number>    what one changes
  svc validate            judges svc.yaml as the merge does
  svc gateway spend       what model calls cost, where the agent may read it
`
  },
  environment: () => `What svc reads

The host is the one of --host, of the link file, or the active one (svc hosts use).
The project is the one of --project, SVC_PROJECT_ID, the link file of this folder or of one above it, or the
only one that the token of a sandbox reaches.

  SVC_CLI_TOKEN        the token; goes before what svc login kept
  SVC_EXECUTOR_TOKEN   the same, when SVC_CLI_TOKEN is not set
  SVC_API_URL          address of the API instead of the host's; --host goes before it
  SVC_PROJECT_ID       the project
  SVC_CONFIG_FILE      the file with hosts and logins
  SVC_DASHBOARD_URL    where \`svc projects open\` and \`svc sessions open\` lead
  SVC_DATA_DIR         where \`svc self-host\` keeps the platform; .data in the checkout
  PAGER                the program that shows a diff on a terminal; less by default, cat for none
  BROWSER              the program that shows pages
  NO_COLOR             print without colour
  HTTPS_PROXY, HTTP_PROXY, NO_PROXY   the proxy to the platform
  NODE_EXTRA_CA_CERTS  a file with certificates of a private authority

  ~/.config/svc/config.json   hosts and logins, readable by you alone
  .svc/link.json              the project of a folder; holds no token
`,
  'exit-codes': () => `What a script can count on

  0   done
  1   the operation failed: the platform refused it, or something was not there
  2   the command was used wrongly: a bad flag, an unknown command, a missing argument

Results go to stdout, everything said about them to stderr. --json prints the answer of the API as it is.
Colour, tables cut to a width and questions need a terminal; a pipe gets whole lines without colour.
A write is never repeated by svc itself. A read is, twice, when the platform is away for a moment.
`,
}

const widest = 100

function numbered(rules: readonly string[]): string {
  return rules
    .map((rule, index) => `${`${index + 1}. `.padStart(6)}${wrapped(rule).join('\n      ')}`)
    .join('\n')
}

function wrapped(text: string): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last === undefined || last.length + 1 + word.length > widest) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}
