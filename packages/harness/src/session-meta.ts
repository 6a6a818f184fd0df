import type { HarnessLaunch } from './launch.ts'

const variable = /\{env:(\w+)\}/g

/**
 * The `_meta` with which a session is opened, where the harness has one: each `{env:NAME}` in it is the program's own
 * variable, or nothing where it has none.
 */
export function sessionMeta(
  { session_meta }: Pick<HarnessLaunch, 'session_meta'>,
  env: Readonly<Record<string, string>>,
): { readonly _meta?: Readonly<Record<string, unknown>> } {
  if (session_meta === null) return {}
  const filled: Record<string, unknown> = JSON.parse(JSON.stringify(session_meta), (_key, value: unknown) =>
    typeof value === 'string' ? value.replace(variable, (_all, name: string) => env[name] ?? '') : value,
  )
  return { _meta: filled }
}
