export { matrixChannel } from './channel.ts'
export { matrixStream } from './sync/stream.ts'
