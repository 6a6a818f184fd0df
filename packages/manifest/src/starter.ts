import { defaultConfigDir } from '@svc/facts'

export interface StarterOptions {
  /** the project's name, as people write it */
  readonly name: string
  /** where editors find the schema of svc.yaml */
  readonly schema_url?: string
}

/** The files of a new project, by path: a valid manifest with one agent, the agent's own file, and a README. */
export function starterFiles({ name, schema_url }: StarterOptions): Readonly<Record<string, string>> {
  return {
    'README.md': readme(name),
    'svc.yaml': manifest(schema_url),
    [`${defaultConfigDir}/agents/default.md`]: agentFile,
  }
}

function manifest(schema_url: string | undefined): string {
  const schema = schema_url === undefined ? '' : `# yaml-language-server: $schema=${oneLine(schema_url)}\n`
  return `${schema}svc_version: 2

default_agent: default

# What each agent is allowed to use. What it is like is written in ${defaultConfigDir}/agents/<name>.md.
agents:
  default:
    connectors: none
    secrets: all
    skills: all
    workspace: branch

# Names of the secrets that sessions need; their values are set with \`svc secrets set\`.
env:
  required: []
  optional: []

# Sessions that start by themselves, for example every weekday at nine:
#
#   - slug: morning-report
#     type: cron
#     cron: 0 0 9 * * 1-5
#     prompt: Summarise what changed since {{ cron.last_fired_at }}.
triggers: []
`
}

function readme(name: string): string {
  return `# ${oneLine(name)}

Agents work on this repository in sessions, each on its own branch. Their work arrives as change requests.

- \`svc.yaml\` declares the agents and what they may use, the triggers, connectors and sandboxes.
- \`${defaultConfigDir}/agents/default.md\` is the default agent: its description and its instructions.

\`\`\`sh
svc validate                          # check svc.yaml and the agents' files
svc sessions new --prompt "Say hello" # start a session
svc cr ls                             # see what it proposes
\`\`\`
`
}

const agentFile = `---
description: Works on this repository and proposes its changes as change requests.
mode: primary
---

You work in a clone of this repository, on a branch of your own. Read the README and the code around your task
before you change anything, keep each change small, and run the project's checks.

Commit and push your work in small steps. When it is ready, open a change request with
\`svc cr open --title "<what changes>"\`. Merging it is the user's decision.
`

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
