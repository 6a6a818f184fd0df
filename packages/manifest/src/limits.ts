/** Bounds that keep a verdict's cost proportional to one small file, whatever is in it. */
export const manifestLimits = {
  bytes: 1024 * 1024,
  /** Words, indicators, indentations, line breaks, comments: the pieces that YAML is read in. A line has about eight. */
  tokens: 60_000,
  /** The same for the frontmatter of all agents' files together. */
  frontmatter_tokens: 30_000,
  /** The same for TOML: line breaks, `=`, `[`, `{`, commas, and dots inside keys. */
  toml_marks: 30_000,
  depth: 64,
  /** Values that exist only because an alias repeats an anchored value. */
  aliased_values: 20_000,
  issues: 500,
  syntax_issues: 20,
  enabled_monitors: 10,
  monitor_interval_seconds: 30,
  monitor_run_characters: 1024,
  connector_headers: 32,
  header_name_characters: 128,
  header_value_characters: 2048,
  connector_timeout_seconds: 300,
  policy_clauses: 16,
  clause_values: 100,
  clause_characters: 512,
} as const

/** Names that reach into an object's prototype; no mapping of ours may hold one. */
export const prototypeKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])
