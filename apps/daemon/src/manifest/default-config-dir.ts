export const defaultConfigDir = '.svc/agentrt'
