export { sessionConnections } from './session-connections.ts'
