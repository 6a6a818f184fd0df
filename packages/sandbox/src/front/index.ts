export { awayHeader, awayValue } from '../programs/wire.ts'
export { connectFront, type Front, frontConnector } from './connect-front.ts'
