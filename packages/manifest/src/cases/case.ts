/** One named case of the fixture table: a file and every issue that it has. */
export interface Case {
  readonly name: string
  readonly text: string
  /** paths of errors as they are, of warnings as `warning <path>`, in file order */
  readonly issues: readonly string[]
  /** the rule is between entries or about what a value means, which JSON Schema cannot say */
  readonly beyond_schema: boolean
}

export function accept(name: string, text: string, ...issues: readonly string[]): Case {
  return { name, text, issues, beyond_schema: false }
}

export function reject(name: string, text: string, ...issues: readonly string[]): Case {
  return { name, text, issues, beyond_schema: false }
}

/** Rejected by the validator alone. */
export function rejectBeyondSchema(name: string, text: string, ...issues: readonly string[]): Case {
  return { name, text, issues, beyond_schema: true }
}

export const head = 'svc_version: 2\ndefault_agent: a\nagents: { a: {} }\n'

/** A manifest with these lines beside the required keys. */
export function top(lines: string): string {
  return `${head}${lines}\n`
}

/** A manifest whose agent `a` has these fields, and which declares a connector `docs` and an env name `KEY`. */
export function agent(fields: string): string {
  return `svc_version: 2
default_agent: a
env: { optional: [KEY] }
connectors: [{ slug: docs, provider: openapi }]
agents: { a: { ${fields} } }
`
}

export function sandbox(fields: string): string {
  return top(`sandbox: { ${fields} }`)
}

export function template(fields: string): string {
  return top(`sandbox: { templates: [{ ${fields} }] }`)
}

export function connector(fields: string): string {
  return top(`connectors: [{ ${fields} }]`)
}

export function app(fields: string): string {
  return top(`apps: { x: { ${fields} } }`)
}

/** Triggers beside an env name `KEY`. */
export function triggers(...entries: readonly string[]): string {
  return top(`env: { optional: [KEY] }\ntriggers:\n${entries.map((entry) => `  - { ${entry} }`).join('\n')}`)
}

export function cron(fields: string): string {
  return triggers(`slug: t, type: cron, prompt: x${fields === '' ? '' : `, ${fields}`}`)
}

/** A cron trigger that fires, with these fields more. */
export function due(fields: string): string {
  return cron(`cron: 0 0 0 * * *, ${fields}`)
}

export function webhook(fields: string): string {
  return triggers(`slug: t, type: webhook, prompt: x, ${fields}`)
}

export function monitor(fields: string): string {
  return triggers(`slug: t, type: monitor, prompt: x${fields === '' ? '' : `, ${fields}`}`)
}
