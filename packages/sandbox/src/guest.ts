/** The things that programs inside of sandboxes share with providers; Node's own modules alone. */
export { joinSockets } from './network/join-sockets.ts'
export type { Program, ProgramExit, ProgramLine, ProgramPhase, ProgramState } from './program.ts'
export {
  appdVariables,
  awayHeader,
  awayValue,
  controlKey,
  controlWord,
  type ImageProgram,
} from './programs/wire.ts'
