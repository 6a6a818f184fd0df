/**
 * The modes of a deployment. `drain`: nothing new starts, prompts and fires wait. `read_only`: and only sandboxes
 * write.
 */
export const maintenanceModes = ['off', 'drain', 'read_only'] as const

export type MaintenanceMode = (typeof maintenanceModes)[number]
