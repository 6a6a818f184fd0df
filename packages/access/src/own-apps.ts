/** The client that the command line is; every platform knows it. */
export const commandLineClient = 'svc-cli'

/** The client that the platform's own pages are. */
export const dashboardClient = 'svc-dashboard'

const own: ReadonlySet<string> = new Set([commandLineClient, dashboardClient])

/** True for an app of the platform itself, which every other is not. */
export const isOwnApp = (client_id: string): boolean => own.has(client_id)
