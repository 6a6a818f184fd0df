/** One kind of mapping in a file, with a sentence for each of its keys. */
export interface Section {
  readonly name: string
  /** where the mapping is in the JSON Schema */
  readonly path: readonly string[]
  readonly keys: Readonly<Record<string, string>>
}

const perTemplate = 'Belongs in a template of `sandbox.templates`.'

export const manifestSections: readonly Section[] = [
  {
    name: 'top level',
    path: [],
    keys: {
      svc_version: 'The version of this format.',
      default_agent: 'The agent of sessions and triggers that name none; declared and enabled.',
      runtime: 'What runs the agents, as the default branch says. Default `agentrt`.',
      harness:
        'The program that is the agent, for agents whose file names none: one that the platform knows, or a key of `harnesses`. Default: `runtime`.',
      harnesses: 'Settings of harnesses, by name. At most 16.',
      agents: 'Every agent that may run, by name, with what it is granted. At least one.',
      project: 'How people call the project.',
      env: 'Names of secrets that sessions get as environment variables.',
      agentrt: 'Settings of the agent runtime.',
      sandbox: 'What sandboxes are made from.',
      sandboxes: 'Removed: list templates in `sandbox.templates`.',
      triggers: 'What starts sessions by itself.',
      connectors: 'Services that agents may use.',
      apps: 'What the project deploys, by name.',
      checks: 'Accepted as it is written; nothing reads it.',
      channels: 'Removed: declare a connector with provider `channel`.',
    },
  },
  {
    name: 'project',
    path: ['properties', 'project'],
    keys: { name: 'Its name.', description: 'What it is, in a sentence.' },
  },
  {
    name: 'env',
    path: ['properties', 'env'],
    keys: {
      required: 'Sessions need them: a name without a secret is reported as missing. Never `SVC_…`.',
      optional: 'Sessions may have them. The secrets of webhooks belong here. Never `SVC_…`.',
    },
  },
  {
    name: 'agentrt',
    path: ['properties', 'agentrt'],
    keys: { config_dir: 'The folder of agents, skills, commands and tools. Default `.svc/agentrt`.' },
  },
  {
    name: 'harness',
    path: ['properties', 'harnesses', 'additionalProperties'],
    keys: {
      command:
        'A program that speaks the Agent Client Protocol over its standard input and output, from `/workspace`. Required for a name that the platform does not know, and for no other.',
      dialect:
        'The dialect in which such a program asks the gateway. Default `chat`; `none` asks nothing of it.',
      env: 'Environment variables of the program. Not for secrets: all who read the repository read them.',
      model_env: 'Variables that are given the session’s model. At most 8.',
      mode: 'The mode that it is put into, where it offers modes.',
      options: 'Its other options, by their id, where it offers them. At most 32.',
      auth: 'Who pays its model calls: `gateway` (default), the project’s own `secrets`, or the launching person’s `personal` subscription, where the operator allows them.',
      version:
        'A pinned version of a harness that the platform installs. Default: the newest pinned for its Node.',
    },
  },
  {
    name: 'agent',
    path: ['properties', 'agents', 'additionalProperties'],
    keys: {
      enabled: 'Whether it may run. Default true.',
      sandbox: "A template's slug, or `default` for the built-in sandbox. Default `sandbox.default`.",
      connectors: 'Connectors it may use. Default `none`.',
      secrets: 'Secrets its sessions get. Default `none`.',
      skills: 'Skills it may use. Default `none`.',
      connectors_required: 'Connectors that must resolve before its session starts.',
      connectors_personal: 'Deprecated: write `connectors_required`.',
      svc_cli:
        'What it may do with the API and the `svc` command. Default: `project.read`, `project.session.read`, `project.file.read`, `project.gitops.read`, `project.gitops.push`.',
      workspace: 'Its access to the repository. Default `branch`.',
    },
  },
  {
    name: 'sandbox',
    path: ['properties', 'sandbox'],
    keys: {
      default: 'The slug of the template for agents that name none; `default` is the built-in sandbox.',
      templates: 'What else sandboxes can be made from.',
      image: perTemplate,
      dockerfile: perTemplate,
      slug: perTemplate,
      cpu: perTemplate,
      memory: perTemplate,
      disk: perTemplate,
      entrypoint: perTemplate,
      context: 'Removed.',
      context_dir: 'Removed.',
      gpu: 'Removed.',
    },
  },
  {
    name: 'template',
    path: ['properties', 'sandbox', 'properties', 'templates', 'items'],
    keys: {
      slug: 'What agents call it; not `default`, and no other template has it.',
      name: 'What people call it. Default: the slug.',
      entrypoint: 'A shell command that runs in the workspace at each start, beside the daemon.',
      cpu: 'CPUs.',
      memory: 'Memory in GB.',
      disk: 'Disk in GB.',
      image: 'A container image. Exactly one of `image` and `dockerfile`.',
      dockerfile: 'A file in the repository. Exactly one of `image` and `dockerfile`.',
    },
  },
  {
    name: 'connector',
    path: ['properties', 'connectors', 'items'],
    keys: {
      slug: 'What agents call it; no other connector has it. `svc_chat_a`, `svc_chat_b` and `svc_email` are for provider `channel`, `computer` for provider `computer`.',
      name: 'What people call it. Default: the slug.',
      provider: 'What it speaks.',
      app: 'Required for `aggregator_a`.',
      url: 'Required for `mcp`.',
      endpoint: 'Required for `graphql`.',
      base_url: 'Required for `http`.',
      baseUrl: 'Alias of `base_url`.',
      transport: 'How `mcp` is spoken. Default `http`.',
      spec: 'The description of an `openapi` or `collection` service.',
      platform: 'Required for `channel`.',
      credential: 'Whose credential is used.',
      authorization_strategy: 'Who authorises it. Default `project`, of a `computer` `user`.',
      agent_scope: "Removed: grant the connector in an agent's `connectors`.",
      auth: 'How calls are authenticated.',
      headers: 'Sent with every call; at most 32.',
      policies: 'What happens on calls whose tool matches; the first match counts.',
      default_action:
        'What happens where no policy matches. Default `risk`: actions that read run, all others ask a person.',
      timeout_seconds: 'How long a call may take. Default 60.',
      idempotency_header:
        'The header in which the service takes a key that makes a repeated request harmless; without it a call that broke off is never repeated by itself.',
      oauth: 'The client and the scopes that an `mcp` service is connected with.',
      inline: 'Whether its actions may be tools of their own. Default true.',
    },
  },
  {
    name: 'auth',
    path: ['properties', 'connectors', 'items', 'properties', 'auth'],
    keys: {
      type: 'The kind. Only `none` for `channel`; not `oauth1` for `graphql`. Other keys depend on it.',
      secret: 'A manifest names no secret value: connect the credential instead.',
    },
  },
  {
    name: 'policy',
    path: ['properties', 'connectors', 'items', 'properties', 'policies', 'items'],
    keys: {
      match:
        'A pattern of the tool’s name, alone or as `<slug>.<name>`: `*` any text, `?` one character, `\\` takes the next one as it is.',
      action: 'What happens on a match.',
      when: 'What must hold of the arguments as well, each of them. At most 16.',
      second_person:
        'Whether the person who launched the session may not be the one who approves. Default false.',
      expires: 'How long an approval is waited for, from `1h` to `7d`. Default `24h`.',
    },
  },
  {
    name: 'clause',
    path: [
      'properties',
      'connectors',
      'items',
      'properties',
      'policies',
      'items',
      'properties',
      'when',
      'items',
    ],
    keys: {
      path: 'Where in the arguments: names with dots between them, `[]` after a list is any of its elements.',
      equals: 'The value.',
      in: 'The values, of which it is one. At most 100.',
      matches: 'A pattern of a text, as in `match`.',
      exists: 'Whether there is a value at all. A path without one holds for `exists: false` alone.',
    },
  },
  {
    name: 'oauth',
    path: ['properties', 'connectors', 'items', 'properties', 'oauth'],
    keys: {
      client_id: 'A client that is registered already. Default: the platform registers itself.',
      client_secret: 'A manifest names no secret value: connect the credential instead.',
      scopes: 'What is asked for. Default: what the service names.',
    },
  },
  {
    name: 'app',
    path: ['properties', 'apps', 'additionalProperties'],
    keys: {
      type: 'What it is made from.',
      path: 'The folder that is shipped as it is; not beside `output_dir`.',
      root: 'The folder that commands run in, and the context of a Dockerfile.',
      output_dir: 'The folder below `root` that a build leaves behind.',
      dockerfile: 'The file that its image is built from.',
      image: 'A container image. Required for `oci_image`.',
      command: 'What it runs; a bundle without it: `npm start`. Required for `dockerfile` and `oci_image`.',
      port: 'Where it listens; not 7331 or 8080. Required for `dockerfile` and `oci_image`.',
      install_command: 'Runs before the build.',
      build_command: 'Makes `output_dir`.',
      spa: 'Whether unknown paths answer with the index page.',
      readiness_path: 'Asked until it answers, before traffic arrives.',
      idle_timeout_seconds: 'How long it stays up without traffic. Default 300.',
      monthly_budget_usd: 'What it may cost in a month; then it stops.',
      resources: 'How big it is.',
      env: 'Environment variables of the build and the program. Never `SVC_…`.',
      secrets: 'Environment variables of the program alone, and the secrets that fill them. Never `SVC_…`.',
    },
  },
  {
    name: 'resources',
    path: ['properties', 'apps', 'additionalProperties', 'properties', 'resources'],
    keys: {
      cpu: 'CPUs. Default 1.',
      memory_gb: 'Memory in GB. Default 2.',
      disk_gb: 'Disk in GB. Default 10.',
    },
  },
  {
    name: 'trigger',
    path: ['properties', 'triggers', 'items'],
    keys: {
      slug: 'Its name in addresses; no other trigger has it.',
      type: 'What fires it.',
      prompt: 'The first message of the session, with `{{ … }}` filled in. Required.',
      prompt_template: 'Alias of `prompt`.',
      name: 'What people call it. Default: the slug.',
      agent: 'A key of `agents`. Default `default_agent`.',
      agent_name: 'Alias of `agent`.',
      model: 'Default: resolved when it fires.',
      enabled: 'Whether it fires. Default true.',
      session_mode:
        '`fresh`: a new session each time. `reuse`: its latest session. `pinned`: the one named by `session_id`. `keyed`: one session for each `session_key`. Default `fresh`; `keyed` when there is a `session_key`; `reuse` for monitors.',
      sessionMode: 'Alias of `session_mode`.',
      session_id: 'Required for `pinned`, and only read there.',
      sessionId: 'Alias of `session_id`.',
      session_key: 'A template: fires with the same text share a session.',
      sessionKey: 'Alias of `session_key`.',
      filter: 'Dotted paths of the payload and the text that each must equal.',
      overlap:
        'While an earlier fire is being worked on: `allow` another, `skip` it, or `queue` it. Default `allow`.',
      cron: 'Cron: when it fires, as `second minute hour day month weekday`. One of `cron` and `run_at`.',
      schedule: 'Alias of `cron`.',
      run_at: 'Cron: when it fires once. One of `cron` and `run_at`.',
      runAt: 'Alias of `run_at`.',
      timezone: 'Cron: an IANA name. Default `UTC`.',
      secret_env:
        'Webhook: the secret that callers prove they know. Required; declare it in `env.optional`. Never `SVC_…`.',
      secretEnv: 'Alias of `secret_env`.',
      run: 'Monitor: a shell command. Each line that it prints fires. Required.',
      mode: 'Monitor: `poll` runs it again and again, `stream` keeps it running. Required.',
      interval:
        'Monitor: time between two runs, at least `30s`. Required for `poll`, not allowed for `stream`.',
      expect_event_within: 'Monitor: after so much silence it fires as well.',
    },
  },
]

export const agentFileSections: readonly Section[] = [
  {
    name: 'frontmatter',
    path: [],
    keys: {
      description: 'When to use this agent.',
      model: 'The model it runs on.',
      mode: 'Whether people talk to it, other agents call it, or both.',
      variant: "The model's variant.",
      harness:
        'The program that is this agent: one that the platform knows, a key of `harnesses`, or a `runtime`.',
      temperature: "The model's temperature.",
      top_p: "The model's nucleus sampling.",
      steps: 'How many steps it may take in a turn.',
      color: 'Its colour: `#` and six hex digits, in quotes, or a named one.',
      hidden: 'Whether lists leave it out.',
      disable: 'Whether the runtime ignores it.',
      options: 'Passed on to the model as they are.',
      permission:
        'One word for every tool, or a mapping of tools. `todowrite`, `question`, `webfetch`, `websearch` and `doom_loop` take a word; others also take a mapping of patterns to words.',
    },
  },
]
