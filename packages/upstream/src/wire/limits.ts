/** Bounds on what other people's services may cost, whatever they answer. Bytes are counted after decompression. */
export const upstreamLimits = {
  /** Reading of an answer stops here: `response_too_large`. */
  read_bytes: 8 * 1024 * 1024,
  /** The part of an answer that is carried on; the rest is cut, and `truncated` says so. */
  answer_bytes: 1024 * 1024,
  /** A description of an API, a file of requests, the answer to an introspection. */
  document_bytes: 10 * 1024 * 1024,
  /** YAML is slower to read than JSON by an order of magnitude. */
  yaml_bytes: 4 * 1024 * 1024,
  actions: 5_000,
  action_characters: 128,
  title_characters: 200,
  description_characters: 4_096,
  /** Nested values of an answer that are still read as JSON; deeper ones stay text. */
  depth: 128,
  /** Objects and lists in the schema of one action; what is deeper accepts anything. */
  schema_nodes: 2_000,
  /** The same for all actions of a connector together. */
  catalogue_nodes: 500_000,
  /** Letters of descriptions, choices and defaults in all schemas of a connector. */
  catalogue_characters: 32 * 1024 * 1024,
} as const
