/** For the door of the Events API, which needs neither the client nor the blocks. */
export { readEvent } from './read/event.ts'
export { readInteraction } from './read/interaction.ts'
export { readRequest, type SlackRequest } from './read/request.ts'
export { isSigned } from './signature.ts'
