/** The ports of a sandbox's daemon and its runtime, wherever the address is the sandbox's own. */
export const daemonPorts = { service_port: 8000, runtime_port: 4096 } as const

/**
 * The ports of a sandbox of a program, which no app may have: where `svc-appd` answers, and the proxy that is its way out
 * in a network of its own. The daemon's are free for programs.
 */
export const programPorts = { service_port: 7331, runtime_port: 8080 } as const
