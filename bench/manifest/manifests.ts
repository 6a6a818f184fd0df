/** A manifest of a small product team: three agents, four triggers, two connectors, one sandbox, one app. */
export const typical = `# yaml-language-server: $schema=https://svc.example/v1/schemas/svc.v2.json
svc_version: 2
default_agent: builder

project:
  name: Shop
  description: The web shop and its workers.

env:
  required: [DATABASE_URL]
  optional:
    - STRIPE_KEY
    - HOOK_SECRET # callers of the webhook prove that they know it

agents:
  builder:
    connectors: [docs, tickets]
    secrets: all
    skills: all
    workspace: branch
  reviewer:
    connectors: none
    secrets: [DATABASE_URL]
    svc_cli: [project.read, project.file.read, project.gitops.read, project.review.submit]
    workspace: read
  support:
    sandbox: big
    connectors: [tickets]
    secrets: none
    workspace: runtime

sandbox:
  default: default
  templates:
    - slug: big
      dockerfile: .svc/Dockerfile
      cpu: 4
      memory: 8

connectors:
  - slug: docs
    provider: mcp
    url: https://docs.example.test/mcp
    auth:
      type: bearer
  - slug: tickets
    provider: graphql
    endpoint: https://tickets.example.test/graphql
    policies:
      - { match: tickets.delete*, action: require_approval }

apps:
  site:
    type: static
    root: apps/site
    output_dir: dist
    build_command: npm run build

triggers:
  - slug: morning-report
    type: cron
    cron: 0 0 9 * * 1-5
    timezone: Europe/Berlin
    agent: reviewer
    prompt: |
      Summarise what changed since {{ cron.last_fired_at }}.
      Name the authors and the open change requests.
  - slug: ticket
    type: webhook
    secret_env: HOOK_SECRET
    agent: support
    session_key: '{{ body.ticket.id }}'
    prompt: |
      A customer wrote: {{ body.ticket.text }}
  - slug: disk
    type: monitor
    run: df --output=pcent / | tail -1
    mode: poll
    interval: 5m
    prompt: The disk is at {{ line.raw }}. Find what fills it.
  - slug: cleanup
    type: cron
    cron: 0 30 3 * * 0
    enabled: false
    prompt: Remove branches that were merged a month ago.
`

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Tokyo']

/** 200 agents and 500 triggers of all three types, each with the keys that such entries usually have. */
export function large(agentCount = 200, triggerCount = 500): string {
  const agents = Array.from({ length: agentCount }, (_, index) => agent(index))
  const triggers = Array.from({ length: triggerCount }, (_, index) => trigger(index, agentCount))
  return `svc_version: 2
default_agent: agent-0

env:
  required: [DATABASE_URL]
  optional: [HOOK_SECRET]

agents:
${agents.join('')}
connectors:
  - { slug: docs, provider: mcp, url: 'https://docs.example.test/mcp' }
  - { slug: tickets, provider: graphql, endpoint: 'https://tickets.example.test/graphql' }

triggers:
${triggers.join('')}`
}

function agent(index: number): string {
  return `  agent-${index}:
    connectors: [docs, tickets]
    secrets: [DATABASE_URL]
    skills: ${index % 2 === 0 ? 'all' : 'none'}
    svc_cli: [project.read, project.file.read, project.gitops.push]
    workspace: branch
`
}

function trigger(index: number, agentCount: number): string {
  const start = `  - slug: trigger-${index}
    type: ${index % 50 === 0 ? 'monitor' : index % 3 === 0 ? 'webhook' : 'cron'}
    name: Trigger ${index}
    agent: agent-${index % agentCount}
    prompt: |
      Look at what happened in area ${index}.
      Write down what you find, and open a change request when something has to change.
`
  if (index % 50 === 0) return `${start}    run: df -h /\n    mode: poll\n    interval: ${1 + (index % 9)}m\n`
  if (index % 3 === 0) return `${start}    secret_env: HOOK_SECRET\n    session_key: '{{ body.id }}'\n`
  return `${start}    cron: 0 ${index % 60} ${index % 24} * * *\n    timezone: ${zones[index % zones.length] ?? 'UTC'}\n`
}
