/** The variable that says how long a program waits for a platform that is away. */
export const apiWait = {
  variable: 'SVC_API_WAIT_SECONDS',
  max_seconds: 120,
  /** In a sandbox, where a command that fails costs an agent its turn; elsewhere nothing waits. */
  sandbox_seconds: 30,
} as const

/** Its value in milliseconds; null for one that is none. */
export function apiWaitMs(value: string | undefined, is_sandbox: boolean): number | null {
  if (value === undefined || value === '') return is_sandbox ? apiWait.sandbox_seconds * 1000 : 0
  const seconds = Number(value)
  return /^\d{1,3}$/.test(value) && seconds <= apiWait.max_seconds ? seconds * 1000 : null
}
