import type { SandboxLimits } from '../../../provider.ts'
import { bubblewrapArguments, type BubblewrapOptions } from './bubblewrap-arguments.ts'
import type { Cgroups } from '../limits/cgroups.ts'
import { argumentsFd, gateFd, type LaunchCommand, seccompFd, statusFd } from '../processes/launch.ts'

/**
 * Waits at the gate, which a dying platform leaves shut, runs the sandbox's first process and writes how it ended where
 * the next platform finds it, in bubblewrap's own words.
 */
const supervisorScript = [
  `read -r _ <&${gateFd} || exit 125`,
  `exec ${gateFd}<&- ${argumentsFd}<&- ${seccompFd}<&-`,
  `"$@" ${statusFd}>&-`,
  `printf '{ "exit-code": %d }\\n' "$?" >&${statusFd}`,
].join('\n')

/** bubblewrap itself runs outside of the sandbox: nothing that a project chose may steer it. */
export const outsideEnvironment = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' }

export function plainCommand(
  tools: string,
  workspace: string,
  environment: Readonly<Record<string, string>>,
  limits: readonly string[],
  first: readonly string[] = [],
): LaunchCommand {
  return {
    file: '/bin/sh',
    args: ['-c', supervisorScript, 'svc-sandbox', ...limits, `${tools}/bin/svc-entrypoint`, ...first],
    cwd: workspace,
    environment,
    secret_args: null,
    seccomp: null,
  }
}

export function bubblewrapCommand(
  program: string,
  options: Omit<BubblewrapOptions, 'seccomp_fd' | 'status_fd' | 'gate_fd'>,
  limits: readonly string[],
  seccomp: Buffer | null,
  first: readonly string[] = [],
): LaunchCommand {
  const seccomp_fd = seccomp === null ? null : seccompFd
  return {
    file: program,
    args: ['--args', String(argumentsFd), '--', ...limits, '/usr/local/bin/svc-entrypoint', ...first],
    cwd: '/',
    /** The id lets a platform find a start that was cut short before it was on record. */
    environment: { ...outsideEnvironment, SVC_SANDBOX_ID: options.environment['SVC_SANDBOX_ID'] ?? '' },
    secret_args: bubblewrapArguments({ ...options, seccomp_fd, status_fd: statusFd, gate_fd: gateFd }),
    seccomp,
  }
}

export interface LimitMeans {
  readonly prlimit: string | null
  readonly cgroups: Pick<Cgroups, 'controllers'>
  /** True when the kernel counts a sandbox's processes apart from its user's others. */
  readonly counts_processes: boolean
}

/**
 * The number of processes, where no control group limits it and others do not count as the sandbox's. Memory is not
 * limited this way: the kernel would count what programs reserve, and the agent runtime reserves more than there is.
 */
export function limitPrefix(
  { prlimit, cgroups, counts_processes }: LimitMeans,
  { pids }: SandboxLimits,
): readonly string[] {
  if (prlimit === null || pids === undefined || !counts_processes || cgroups.controllers.has('pids'))
    return []
  return [prlimit, `--nproc=${pids}`, '--']
}
