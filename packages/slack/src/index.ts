export { slackChannel } from './channel.ts'
export { isSigned, readEvent, readInteraction, readRequest, type SlackRequest } from './door.ts'
export { render, type SlackMessage } from './render/render.ts'
export { slackSocket } from './socket/socket.ts'
