import { platformNamePattern } from '@svc/facts'
import type { Program } from '@svc/sandbox/guest'

/** The name by which a provider knows the processes of a sandbox. */
const marker = 'SVC_SANDBOX_ID'

/** The part of this process's own environment that programs have as well: nothing that a provider gives `svc-appd` alone. */
export function inheritedEnvironment(own: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  // Empty is what a provider makes of a variable that would steer Node.
  const entries = Object.entries(own).filter(
    (entry): entry is [string, string] =>
      !!entry[1] && (!platformNamePattern.test(entry[0]) || entry[0] === marker),
  )
  return Object.fromEntries(entries)
}

/** The whole environment of a program. */
export function programEnvironment(parts: {
  readonly inherited: Readonly<Record<string, string>>
  readonly program: Pick<Program, 'environment'>
  readonly port: number | null
  /** True where every program of the machine can reach what listens on all addresses. */
  readonly shared: boolean
}): Readonly<Record<string, string>> {
  const { inherited, program, port, shared } = parts
  return {
    LANG: 'C.UTF-8',
    ...inherited,
    ...(shared ? { HOST: '127.0.0.1' } : {}),
    ...program.environment,
    ...(port === null ? {} : { PORT: String(port) }),
  }
}
