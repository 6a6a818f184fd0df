/** The ports of a sandbox's daemon and its runtime, wherever the address is the sandbox's own. */
export const daemonPorts = { service_port: 8000, runtime_port: 4096 } as const
