/**
 * Manifests are read anew: a trigger’s agent carries the connectors that it needs, and whether they are connected is asked
 * when it fires.
 */
export const statements: readonly string[] = [
  `update trigger_catalogues set manifest = null, check_at = now()`,
]
