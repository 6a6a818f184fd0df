/**
 * Ports of a sandbox whose listeners are no programs of the agent, so that no preview shows them: SSH, the agent runtime
 * and the daemon.
 */
export const reservedPorts: readonly number[] = [22, 4096, 8000]
