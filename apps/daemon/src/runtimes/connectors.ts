/** The name under which the connectors of a session are tools of its agent. */
export const executorName = 'svc-executor'

/** True where the platform names connectors for this session; it names none where the agent lists none. */
export function hasConnectors(env: Readonly<Record<string, string | undefined>>): boolean {
  return env['SVC_CONNECTORS'] !== undefined && env['SVC_EXECUTOR_TOKEN'] !== undefined
}
